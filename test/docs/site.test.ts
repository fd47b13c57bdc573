import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../generator/fixture.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { Browser } from "./browser.ts";
import { deadLinks } from "./site-links.ts";

const run = promisify(execFile);
const chromium = findTool("chromium");
const folder = mkdtempSync(join(tmpdir(), "typeplane-site-"));

/** Only some groups; `make docs` builds all of them. */
const GROUPS = "autoscaling,scheduling.k8s.io";

beforeAll(async () => {
  const command = ["--disable-warning=ExperimentalWarning", join(root, "generator/main.ts"), "docs"];
  await run(process.execPath, [...command, `--groups=${GROUPS}`, `--out=${folder}`]);
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the built documentation site", () => {
  it("has no link to a page, image or anchor that does not exist", () => {
    expect(deadLinks(folder)).toEqual([]);
  });

  it("has a page for a kind in each of its versions, for a marker, a guide and a document", () => {
    const pages = [
      "reference/autoscaling/v2/horizontalpodautoscaler",
      "reference/autoscaling/v1/horizontalpodautoscaler",
    ];
    for (const page of [...pages, "markers/listmap", "guides/first-kind", "flags"])
      expect(readFileSync(join(folder, `${page}.html`), "utf8")).toContain("<h1");
  });
});

describe.skipIf(chromium === undefined)(
  `the site in a browser${chromium === undefined ? ` (${skipMessage("chromium")})` : ""}`,
  () => {
    let browser: Browser;
    let server: Server;
    let site = "";

    beforeAll(async () => {
      server = createServer((request, response) => {
        const path = normalize(decodeURI(new URL(request.url ?? "/", "http://localhost").pathname));
        const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
        try {
          const body = readFileSync(file);
          response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(body);
        } catch {
          response.writeHead(404).end();
        }
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      browser = await Browser.start(chromium ?? "");
    });

    afterAll(async () => {
      await browser.stop();
      server.close();
    });

    const PAGES = [
      "/",
      "/reference/",
      "/reference/autoscaling/v2/horizontalpodautoscaler.html",
      "/reference/meta.k8s.io/v1/objectmeta.html",
      "/markers/rule.html",
      "/guides/first-kind.html",
      "/flags.html",
      "/cves.html",
    ];

    it.each([
      [1280, "light", PAGES],
      [360, "dark", PAGES],
    ] as const)(
      "loads pages %i px wide in a %s colour scheme without errors and without overflowing the window",
      async (width, scheme, pages) => {
        await browser.show(width, scheme);
        for (const page of pages) {
          await browser.open(`${site}${page}`);
          const overflow = await browser.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
          const isDark = await browser.evaluate<boolean>("document.documentElement.classList.contains('dark')");
          const title = await browser.evaluate<string>("document.querySelector('h1')?.textContent ?? ''");
          expect({ page, overflow: Math.max(0, overflow), isDark, problems: browser.problems }).toEqual({
            page,
            overflow: 0,
            isDark: scheme === "dark",
            problems: [],
          });
          expect(title).not.toBe("");
        }
      },
    );

    it("finds a field by search, without requests to another host", async () => {
      await browser.show(1280, "light");
      await browser.open(`${site}/`);
      await browser.evaluate(
        "document.querySelector('.DocSearch-Button, .VPNavBarSearchButton, #local-search button').click()",
      );
      await browser.until("document.querySelector('#localsearch-input') !== null");
      await browser.evaluate("document.querySelector('#localsearch-input').focus()");
      await browser.type("stabilizationWindowSeconds");
      await browser.until("document.querySelector('.results a[href*=stabilizationwindowseconds]') !== null");
      const target = await browser.evaluate<string>(
        "document.querySelector('.results a[href*=stabilizationwindowseconds]').href",
      );
      await browser.open(target);
      const anchor = JSON.stringify(new URL(target).hash.slice(1));
      expect(await browser.evaluate<string>(`document.getElementById(${anchor}).textContent`)).toContain(
        "stabilizationWindowSeconds",
      );
      expect(await browser.evaluate<string[]>(OTHER_HOSTS)).toEqual([]);
      expect(browser.problems).toEqual([]);
    });
  },
);

const OTHER_HOSTS = `performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => !name.startsWith(location.origin))`;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
