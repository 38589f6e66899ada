export const config = {
  name: 'app',
  timeout: 30,
  retries: 5,
  verbose: false,
};
