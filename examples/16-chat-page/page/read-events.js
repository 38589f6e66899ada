/** Reads Server-Sent Events with one JSON object each, as `qwen serve` sends them. */
export async function* readEvents(body) {
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
  }
}
