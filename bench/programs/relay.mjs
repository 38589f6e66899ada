// Fetches an answer and prints one JSON line per delta. Runs until stdin closes.
import { request } from 'node:http';

const print = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

const call = request(`${process.env.OPENAI_BASE_URL}/chat/completions`, { method: 'POST' }, (response) => {
  let rest = '';
  response.setEncoding('utf8').on('data', (chunk) => {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const data = event.slice('data: '.length);
      const text = data === '[DONE]' ? undefined : JSON.parse(data).choices[0]?.delta.content;
      if (text) print({ type: 'delta', text });
      if (data === '[DONE]') print({ type: 'end' });
    }
  });
});
call.end(JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content: 'Say many words.' }] }));
process.stdin.resume();
