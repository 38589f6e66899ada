export function parseDuration(text) {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (match === null || text === '') throw new RangeError(`not a duration: ${text}`);
  const [hours, minutes, seconds] = match.slice(1).map((number) => Number(number ?? 0));
  return hours * 3600 + minutes * 60 + seconds;
}
