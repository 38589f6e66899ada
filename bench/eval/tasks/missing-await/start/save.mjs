export async function save(text, { write, log }) {
  write('out.txt', text);
  log('saved');
}
