import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Arguments of Node.js for building and packing the package. */
export const PACKING = ["--disable-warning=ExperimentalWarning", join(ROOT, "package/build-package.ts")];

/** Returns the path of the packed tarball. */
export function packedTo(): string {
  return join(ROOT, `dist/typeplane-${readManifest(ROOT).version}.tgz`);
}

/**
 * Installs the dependencies in a folder's package.json: unpacks the tarball, and links other packages from this repository, so that no
 * network is needed. `without` leaves some of them out.
 */
export function install(folder: string, tarball: string, without: readonly string[] = []): void {
  const modules = join(folder, "node_modules");
  const installed = join(modules, "typeplane");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
  const names = new Set([folder, installed].flatMap((each) => dependenciesOf(readManifest(each))));
  for (const name of names) {
    if (name === "typeplane" || without.includes(name)) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
}

/** Returns the size on disk, in kilobytes, of a package and all of its dependencies, and their number. */
export function sizeOf(installed: string): { readonly kilobytes: number; readonly packages: number } {
  const found = new Set<string>([installed]);
  for (const folder of found) {
    const { dependencies, optionalDependencies } = readManifest(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const nested = [join(folder, "node_modules", name), join(ROOT, "node_modules", name)].find((each) =>
        existsSync(join(each, "package.json")),
      );
      if (nested !== undefined) found.add(nested);
    }
  }
  const kilobytes = [...found].reduce((sum, folder) => sum + diskUse(realpathSync(folder)) / 1024, 0);
  return { kilobytes: Math.round(kilobytes), packages: found.size };
}

/** Returns the size on disk of a folder in bytes, without nested packages. */
function diskUse(folder: string): number {
  let bytes = lstatSync(folder).blocks * 512;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? diskUse(path) : lstatSync(path).blocks * 512;
  }
  return bytes;
}

function dependenciesOf({ dependencies, devDependencies }: Manifest): string[] {
  return Object.keys({ ...dependencies, ...devDependencies });
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}
