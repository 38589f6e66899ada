import type { ResolvedPath } from '../ports.js';

/** Memory, environment and open files of processes, ours among them: never shown to a model (S43). */
const PROCESS_SECRET =
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|maps|auxv|fd|fdinfo|root|cwd|stack)(?:\/|$)|^\/dev\/k?mem$/;
/** What we keep for ourselves, below our own folder. */
const OWN_SECRET = /(?:^|\/)[^/]*(?:oauth|token|credential|secret)[^/]*(?:\/|$)/i;
/** Keys and passwords of people: worth a question even where reading needs none. */
const PERSONAL_SECRET =
  /(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.kube|\.docker|\.azure|\.config\/(?:gh|gcloud)|\.netrc|\.git-credentials|\.pypirc|\.pgpass)(?:\/|$)/i;

/** Whether no model may read this, in no mode. `ownFolder` is the folder of this program, absolute. */
export function isOwnSecret({ path, realPath }: ResolvedPath, ownFolder: string | undefined): boolean {
  return [path, realPath].some(
    (name) =>
      PROCESS_SECRET.test(name) ||
      (ownFolder !== undefined && name.startsWith(`${ownFolder}/`) && OWN_SECRET.test(name.slice(ownFolder.length))),
  );
}

/** Whether reading this is asked about, wherever it lies. */
export function isPersonalSecret({ path, realPath }: ResolvedPath): boolean {
  return PERSONAL_SECRET.test(path) || PERSONAL_SECRET.test(realPath);
}
