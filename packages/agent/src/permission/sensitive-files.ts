import type { ResolvedPath } from '../ports.js';

/** Memory, environment and open files of processes. */
const PROCESS_SECRET =
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|maps|auxv|fd|fdinfo|root|cwd|stack)(?:\/|$)|^\/dev\/k?mem$/;
/** Secrets in our data directory. */
const OWN_SECRET = /(?:^|\/)[^/]*(?:oauth|token|credential|secret)[^/]*(?:\/|$)/i;
/** Personal keys and passwords; reading them requires a question. */
const PERSONAL_SECRET =
  /(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.kube|\.docker|\.azure|\.config\/(?:gh|gcloud)|\.netrc|\.git-credentials|\.pypirc|\.pgpass)(?:\/|$)/i;

export function isOwnSecret({ path, realPath }: ResolvedPath, dataDir: string | undefined): boolean {
  return [path, realPath].some(
    (name) =>
      PROCESS_SECRET.test(name) ||
      (dataDir !== undefined && name.startsWith(`${dataDir}/`) && OWN_SECRET.test(name.slice(dataDir.length))),
  );
}

export function isPersonalSecret({ path, realPath }: ResolvedPath): boolean {
  return PERSONAL_SECRET.test(path) || PERSONAL_SECRET.test(realPath);
}
