export async function save(text, { write, log }) {
  await write('out.txt', text);
  log('saved');
}
