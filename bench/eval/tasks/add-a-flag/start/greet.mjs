const [name = 'world'] = process.argv.slice(2);
process.stdout.write(`Hello ${name}\n`);
