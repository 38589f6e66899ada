// Never looks at its input and stays until it is told to go.
setInterval(() => {}, 1_000);
