/** The absolute path of the script that starts the CLI. Undefined in a bundle. */
export declare const script: string | undefined;
