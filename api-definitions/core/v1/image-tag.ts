const WORD = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const HOST = `(?:${LABEL}(?:\\.${LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const DIGEST = "sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128}";
const REFERENCE = new RegExp(`^((?:${HOST}/)?${WORD}(?:/${WORD})*)(?::(\\w[\\w.-]{0,127}))?(?:@(?:${DIGEST}))?$`);
const IDENTIFIER = /^[a-f0-9]{64}$/;
const MAX_PATH = 255;
const DEFAULT_REGISTRIES = new Set(["docker.io", "index.docker.io"]);
/** Prefix of single-component repository names in the default registry. */
const OFFICIAL = "library/";

/**
 * Returns the tag of an image name: `latest` if it has neither tag nor digest. Returns undefined if it has only a digest or is not a valid
 * image name.
 */
export function imageTag(image: string): string | undefined {
  const [, repository = "", tag] = IDENTIFIER.test(image) ? [] : (REFERENCE.exec(image) ?? []);
  if (repository === "" || pathLength(repository) > MAX_PATH) return undefined;
  return tag ?? (image.includes("@") ? undefined : "latest");
}

/** Length of the complete path of a repository in its registry. */
function pathLength(repository: string): number {
  const slash = repository.indexOf("/");
  const first = repository.slice(0, Math.max(slash, 0));
  const isRegistry = first === "localhost" || /[.:]/.test(first) || first !== first.toLowerCase();
  const path = isRegistry ? repository.slice(slash + 1) : repository;
  const isOfficial = !path.includes("/") && (!isRegistry || DEFAULT_REGISTRIES.has(first));
  return isOfficial ? OFFICIAL.length + path.length : path.length;
}
