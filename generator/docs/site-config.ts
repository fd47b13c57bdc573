import type { SidebarItem } from "./reference-pages.ts";

export interface SiteOptions {
  readonly title: string;
  readonly description: string;
  readonly nav: readonly SidebarItem[];
  readonly sidebars: { readonly [prefix: string]: readonly SidebarItem[] };
}

/** Returns the files that VitePress needs besides the pages, by path below the site's folder. The configuration is plain data. */
export function siteFiles({ title, description, nav, sidebars }: SiteOptions): { readonly [path: string]: string } {
  const config = {
    title,
    description,
    lang: "en",
    // Descriptions contain <names> in angle brackets: no page uses HTML.
    markdown: { html: false, linkify: false },
    themeConfig: {
      nav,
      sidebar: sidebars,
      outline: 2,
      search: { provider: "local" },
      docFooter: { prev: false, next: false },
    },
    vite: { build: { chunkSizeWarningLimit: 10_000 } },
  };
  return {
    ".vitepress/config.mjs": `export default ${JSON.stringify(config, null, 1)};\n`,
    ".vitepress/theme/index.js": THEME,
    ".vitepress/theme/style.css": STYLE,
  };
}

const THEME = `import DefaultTheme from "vitepress/theme";
import "./style.css";

export default DefaultTheme;
`;

/** Breaks long names of fields and values, which would widen the page. */
const STYLE = `.vp-doc h1, .vp-doc h2, .vp-doc h3, .vp-doc p, .vp-doc li { overflow-wrap: anywhere; }
.vp-doc h3 { margin-top: 20px; }
.vp-doc h3 + p { margin: 4px 0; font-size: 14px; color: var(--vp-c-text-2); }
`;
