import { type OutputLine, readOutputLine } from '@qwen/sdk/terminal';

/** The agent as the page sees it: lines in order, and lines to it. */
export interface Agent {
  /** Rejects when the server does not take it. */
  send(line: object): Promise<void>;
}

export interface AgentListener {
  line(line: OutputLine, text: string): void;
  /** The agent has left, with its exit code. */
  end(exitCode: string): void;
}

/** Follows the agent. The browser opens a stream that broke again, and says which line was its last. */
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
      if (!response.ok) throw new Error(`the line was not taken: ${response.status}`);
    },
  };
}
