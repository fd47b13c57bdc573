import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";

/** Returns the links of a built site whose page, file or anchor does not exist, as `page -> target`. */
export function deadLinks(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
  const anchors = new Map(pages.map((page) => [page, anchorsOf(readFileSync(join(folder, page), "utf8"))]));
  return pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), "utf8");
    const targets = [...text.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, target]) =>
      (target ?? "").replaceAll("&amp;", "&"),
    );
    return [...new Set(targets)]
      .filter((target) => isDead(folder, page, target, anchors))
      .map((target) => `${page} -> ${target}`);
  });
}

function isDead(
  folder: string,
  page: string,
  target: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (/^[a-z]+:/.test(target)) return false;
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : fileOf(folder, page, decodeURI(path));
  if (file === undefined) return true;
  return anchor !== undefined && anchor !== "" && !(anchors.get(file)?.has(decodeURIComponent(anchor)) ?? false);
}

/** Returns the file, relative to the folder, that a server sends for a path. */
function fileOf(folder: string, page: string, path: string): string | undefined {
  const absolute = path.startsWith("/") ? path.slice(1) : posix.join(dirname(page), path);
  const named = absolute === "" || absolute.endsWith("/") ? `${absolute}index.html` : absolute;
  return existsSync(join(folder, named)) ? relative(folder, join(folder, named)) : undefined;
}

function anchorsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? ""));
}
