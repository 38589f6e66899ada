const words = process.argv.slice(2);
const [name = 'world'] = words.filter((word) => word !== '--upper');
const greeting = `Hello ${name}\n`;
process.stdout.write(words.includes('--upper') ? greeting.toUpperCase() : greeting);
