import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const documents = [
  "SECURITY.md",
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const readmes = ["runtime", "generator", "api-definitions"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => basename(name) === "README.md")
    .map((name) => `${folder}/${name}`),
);
const textOf = (document: string) => readFileSync(join(root, document), "utf8");

/** Whether the file is one that readers would add for a kind. */
const isExample = (path: string) => /\b(?:book|library)\b|^<|deployment\.hooks/.test(path);

/** Files of this project that a document names in backquotes; `library` is the group of examples. */
function namedFiles(document: string): string[] {
  return [...textOf(document).matchAll(/`((?:runtime|test|docs|api-definitions|generator)\/[\w./-]+)`/g)]
    .map(([, path]) => path ?? "")
    .filter((path) => !path.startsWith("api-definitions/library/"));
}

/** Files that a document links to, as seen from the root. */
function linkedFiles(document: string): string[] {
  return [...textOf(document).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, path]) =>
    join(dirname(document), path ?? ""),
  );
}

describe("documents", () => {
  it.each(["docs/threat-model.md", "docs/cves.md"])("name only tests and sources that exist: %s", (document) => {
    const named = namedFiles(document);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(readmes)("name only files that exist, in their folder or from the root: %s", (document) => {
    const named = [...textOf(document).matchAll(/`((?:[\w.-]+\/)*[\w-]+\.(?:ts|md|hbs))`/g)].map(
      ([, path]) => path ?? "",
    );
    const places = [dirname(document), "", "runtime", "generated"];
    expect(
      named.filter((path) => !places.some((place) => existsSync(join(root, place, path))) && !isExample(path)),
    ).toEqual([]);
  });

  it.each(documents)("name in backquotes only files that exist: %s", (document) => {
    expect(namedFiles(document).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(documents)("link only to files that exist: %s", (document) => {
    expect(linkedFiles(document).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("list each vulnerability once", () => {
    const rows = textOf("docs/cves.md")
      .split("\n")
      .filter((line) => line.startsWith("|"));
    const heads = rows.map((row) => (/^\| CVE/.test(row) ? (row.split("|")[1] ?? "") : (row.split("|")[2] ?? "")));
    const ids = heads.flatMap((cell) => cell.match(/CVE-\d{4}-\d+/g) ?? []);
    expect(ids.length).toBeGreaterThan(80);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("name a test for every vulnerability that is called closed", () => {
    const closed = textOf("docs/cves.md")
      .split("\n")
      .filter((line) => /\| closed/.test(line));
    expect(closed.filter((line) => !/`test\/[\w./-]+\.test\.ts`/.test(line))).toEqual([]);
  });

  it("name each vulnerability that a file of test/hostile/published-cves is said to cover in that file", () => {
    const rows = textOf("docs/cves.md")
      .split("\n")
      .flatMap((row) => {
        const file = /`(test\/hostile\/published-cves\/[\w-]+\.test\.ts)`/.exec(row)?.[1];
        const id = row.split("|")[1]?.match(/CVE-\d{4}-\d+/)?.[0];
        return file === undefined || id === undefined ? [] : [{ file, id }];
      });
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter(({ file, id }) => !textOf(file).includes(id) && !EXPLAINED.has(id))).toEqual([]);
  });
});

/** Covered by a test that names a later vulnerability of the same kind. */
const EXPLAINED = new Set(["CVE-2021-4235"]);

/** Sources whose comments and messages are meant for readers: `path`, text. */
function sources(): [string, string][] {
  return ["api-definitions", "generator", "runtime", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|md|hbs)$/.test(entry.name))
      .map((entry): [string, string] => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(root.length), readFileSync(path, "utf8")];
      }),
  );
}

describe("comments and messages", () => {
  const all = sources();

  it("refer to no rule or section of a document that is not in the repository", () => {
    const reference =
      /\b(?<!RFC \d+, )sections? \d|\brules? \d|\bspecification \d|\bthe specification\b|\b(?:§|item) ?\d/i;
    const wrong = all.flatMap(([path, text]) =>
      text.split("\n").flatMap((line, index) => (reference.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
    expect(wrong).toEqual([]);
  });

  it("name headings of documents that exist", () => {
    const named = all.flatMap(([path, text]) =>
      [...text.matchAll(/(docs\/[\w-]+\.md)(?:, "([^"\n]+)")?/g)].map(([, document = "", heading]) => ({
        path,
        document,
        heading,
      })),
    );
    expect(named.length).toBeGreaterThan(5);
    const wrong = named.filter(
      ({ document, heading }) =>
        !existsSync(join(root, document)) || (heading !== undefined && !textOf(document).includes(`# ${heading}\n`)),
    );
    expect(wrong).toEqual([]);
  });
});
