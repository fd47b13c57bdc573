import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { install } from "../installed-package.ts";
import { packedPackage } from "./pack-once.ts";

export const ROOT = join(import.meta.dirname, "../../..");
/** Node.js that the projects with the package use. */
export const projectNode = process.env.PROJECT_NODE ?? process.execPath;
/** Node.js 23 prints this in every process that loads TypeScript. */
const TYPESCRIPT_WARNING = /^\(node:\d+\) ExperimentalWarning: Type Stripping .*\n\(Use .*\n/m;

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface PackageHome {
  /** A folder outside of this repository for files of the tests. */
  readonly home: string;
  /** Path of the packed package, once the tests run. */
  readonly tarball: () => string;
  /** Runs Node.js in a folder. */
  readonly node: (cwd: string, ...args: string[]) => Ran;
}

/** Prepares the package for the tests of a file, to be installed outside of this repository. */
export function packageHome(): PackageHome {
  const home = mkdtempSync(join(tmpdir(), "typeplane-installed-"));
  let tarball = "";
  beforeAll(async () => {
    tarball = await packedPackage(inject("packing"));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return {
    home,
    tarball: () => tarball,
    node: (cwd, ...args) => {
      const { PATH, NODE_COMPILE_CACHE } = process.env;
      const environment = { PATH, HOME: home, NODE_COMPILE_CACHE };
      const { status, stdout, stderr } = spawnSync(projectNode, args, { cwd, encoding: "utf8", env: environment });
      return { status, out: stdout, err: stderr.replace(TYPESCRIPT_WARNING, "") };
    },
  };
}

export interface InstalledProject extends PackageHome {
  /** Folder of a project that `typeplane init` created, with the package installed, before `generate`. */
  readonly project: string;
  readonly launcher: string;
  /** Runs a command in the project. */
  readonly typeplane: (...args: string[]) => Ran;
}

/** Installs the package outside of this repository for the tests of a file, and performs the first steps of a user. */
export function installProject(): InstalledProject {
  const packed = packageHome();
  const { home, tarball, node } = packed;
  const project = join(home, "my-api");
  const launcher = join(project, "node_modules/typeplane/bin/typeplane.js");
  beforeAll(() => {
    const tool = join(home, "tool");
    write(tool, "package.json", "{}");
    install(tool, tarball());
    const made = node(home, join(tool, "node_modules/typeplane/bin/typeplane.js"), "init", "my-api", "--controllers");
    expect(made).toMatchObject({ status: 0, err: "" });
    install(project, tarball());
  });
  return { ...packed, project, launcher, typeplane: (...args) => node(project, launcher, ...args) };
}

/** Definition of the first kind of a new project. */
export const BOOK = "api-definitions/library/v1/book.ts";

/** Returns that definition with an additional field in its spec. */
export function withField(definition: string, field: string): string {
  const next = "  /** Number of parts that fit in. */\n";
  return definition.replace(next, `  /** Shelf that the book stands on. */\n  ${field};\n${next}`);
}

export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
