export const config = {
  name: 'app',
<<<<<<< main
  timeout: 30,
  retries: 2,
=======
  timeout: 10,
  retries: 5,
>>>>>>> feature
  verbose: false,
};
