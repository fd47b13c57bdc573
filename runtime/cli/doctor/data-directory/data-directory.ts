import type { ApiRegistry } from "../../../contract/api-registry.ts";
import type { ServerConfig } from "../../../server/server-config.ts";
import { DataFileView } from "../../../store/embedded/data-file-view.ts";
import { StoreError } from "../../../store/errors.ts";
import { type Verified, verifyStored } from "../../verify.ts";
import { NotApplicable } from "../check.ts";

/** A data directory and its configuration, as used by checks. A server may have it open. */
export class DataDirectory {
  readonly path: string;
  readonly config: ServerConfig;
  readonly now: () => Date;
  readonly #registry: ApiRegistry;
  readonly #err: (text: string) => void;
  #verified: Promise<Verified> | undefined;

  constructor(path: string, config: ServerConfig, registry: ApiRegistry, err: (text: string) => void) {
    this.path = path;
    this.config = config;
    this.now = () => new Date();
    this.#registry = registry;
    this.#err = err;
  }

  /** Opens the data file and calls `read`. Throws `NotApplicable` if the file cannot be opened, which another check reports. */
  async view<T>(read: (view: DataFileView) => T): Promise<T> {
    let view: DataFileView;
    try {
      view = await DataFileView.open(this.path);
    } catch (error) {
      if (error instanceof StoreError) throw new NotApplicable("the data file cannot be opened");
      throw error;
    }
    try {
      return read(view);
    } finally {
      await view.close();
    }
  }

  /** Returns the result of `typeplane verify`. */
  async verified(): Promise<Verified> {
    await this.view(() => undefined);
    this.#verified ??= verifyStored(this.config, this.#registry, { from: undefined, err: this.#err });
    return this.#verified;
  }
}
