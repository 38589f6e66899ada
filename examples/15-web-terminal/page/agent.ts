import { type OutputLine, readOutputLine } from '@qwen/sdk/terminal';

/** The agent as the page sees it: receives lines in order, and accepts lines. */
export interface Agent {
  /** Rejects if the server refuses the line. */
  send(line: object): Promise<void>;
}

export interface AgentListener {
  line(line: OutputLine, text: string): void;
  /** The agent has exited. */
  end(exitCode: string): void;
}

/** Follows the agent. The browser reopens a broken stream and sends the ID of its last line. */
export function followAgent(listener: AgentListener): Agent {
  const source = new EventSource('lines');
  source.addEventListener('message', ({ data }: MessageEvent<string>) => listener.line(readOutputLine(data), data));
  source.addEventListener('end', ({ data }: MessageEvent<string>) => {
    source.close();
    listener.end(data);
  });
  return {
    async send(line) {
      const response = await fetch('lines', { method: 'POST', body: JSON.stringify(line) });
      if (!response.ok) throw new Error(`the server refused the line: ${response.status}`);
    },
  };
}
