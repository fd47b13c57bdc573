import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Page } from "./page.ts";
import type { SidebarItem } from "./reference-pages.ts";

/** Files outside of docs/ that are pages of the site, with their paths there. Links to them are rewritten. */
const ELSEWHERE: { readonly [file: string]: string } = {
  "CHANGELOG.md": "changelog",
  "CONTRIBUTING.md": "contributing",
  "SECURITY.md": "security-policy",
  "api-definitions/README.md": "definitions",
  "generator/README.md": "generator",
  "runtime/README.md": "runtime",
  "README.md": "",
  "api-definitions/vocabulary.ts": "markers/",
};

/** Guides in the order in which they are listed; others follow by name. */
const GUIDES = [
  "first-kind",
  "hooks",
  "versions-and-conversions",
  "controllers",
  "testing",
  "other-languages",
  "kubernetes-components",
  "etcd",
  "security",
  "operations",
  "release-dial",
];

/** Pages that are listed before the pages about alerts. */
const OPERATIONS = ["alerts", "doctor"];

export interface DocumentPages {
  readonly pages: readonly Page[];
  readonly sidebar: readonly SidebarItem[];
  /** Images that pages show: path in the project and path below the site's root. */
  readonly assets: readonly { readonly from: string; readonly to: string }[];
}

/** The documents of the project as pages. Links between them are rewritten; links to source files become plain text. */
export async function documentPages(root: string): Promise<DocumentPages> {
  const files = await documentFiles(root);
  const assets = new Map<string, string>();
  const pages: Page[] = [];
  for (const [file, path] of files) {
    if (path === "" || path.endsWith("/")) continue;
    const text = await readFile(join(root, file), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
    pages.push({ path, title, text: rewriteLinks(text, file, files, assets) });
  }
  const item = ({ title, path }: Page): SidebarItem => ({ text: title.replaceAll("`", ""), link: `/${path}` });
  const guides = pages.filter(({ path }) => path.startsWith("guides/"));
  const operations = pages.filter(({ path }) => path.startsWith("operations/"));
  const rank = ({ path }: Page): number => GUIDES.indexOf(posix.basename(path)) + 1 || GUIDES.length + 1;
  const isFirst = ({ path }: Page): boolean => OPERATIONS.includes(posix.basename(path));
  const others = pages.filter((page) => !guides.includes(page) && !operations.includes(page));
  return {
    pages,
    sidebar: [
      { text: "Guides", items: guides.sort((a, b) => rank(a) - rank(b)).map(item) },
      {
        text: "Operations",
        items: [...operations.filter(isFirst), ...operations.filter((page) => !isFirst(page))].map(item),
      },
      { text: "Documents", items: others.map(item) },
    ],
    assets: [...assets].map(([from, to]) => ({ from, to })),
  };
}

async function documentFiles(root: string): Promise<Map<string, string>> {
  const entries = await readdir(join(root, "docs"), { recursive: true }).catch((): string[] => []);
  const inDocs = entries.filter((name) => name.endsWith(".md")).sort();
  return new Map([
    ...inDocs.map((name): [string, string] => [`docs/${name}`, name.slice(0, -3)]),
    ...Object.entries(ELSEWHERE),
  ]);
}

function rewriteLinks(
  text: string,
  file: string,
  pages: ReadonlyMap<string, string>,
  assets: Map<string, string>,
): string {
  return outsideCode(text, (prose) =>
    prose.replace(
      /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (whole, bang: string, label: string, target: string) => {
        if (/^[a-z]+:|^#|^\//.test(target)) return whole;
        const [path = "", anchor] = target.split("#");
        const resolved = posix.join(posix.dirname(file), path);
        const page = pages.get(resolved);
        if (page !== undefined) {
          const place = page === "index" ? "/" : `/${page}`;
          return `[${label}](${place}${anchor === undefined ? "" : `#${anchor}`})`;
        }
        if (!/\.(svg|png)$/.test(path)) return label;
        const to = `images/${posix.basename(path)}`;
        assets.set(resolved, to);
        return bang === "" ? label : `![${label}](/${to})`;
      },
    ),
  );
}

/** Applies a change to everything but fenced and indented code. Removes comments: pages contain no HTML. */
function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .replace(/^<!--[\s\S]*?-->\n+/gm, "")
    .split(/(^```[\s\S]*?^```$|^(?: {4}.*\n?)+)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");
}
