import type { ApiObject } from "../../../contract/api-object.ts";
import type { PlainObject } from "../../../watch/cached-object.ts";
import type { StoredValueCodec } from "../../stored-value-codec.ts";
import type { WebhookConverter } from "./webhook-converter.ts";

export interface KeyedValue {
  readonly key: string;
  readonly value: Uint8Array;
}

export interface ConvertedValuesParts {
  /** `example.com/v2` */
  readonly shownVersion: string;
  readonly storedVersion: string;
  /** Reads what is stored in the version in which it is stored, and writes the stored version. */
  readonly stored: StoredValueCodec;
  /** Reads and writes values of the shown version. */
  readonly shown: StoredValueCodec;
  readonly converter: WebhookConverter;
  /** Brings a converted object in line with the schema of its version. */
  readonly coerce: (object: ApiObject) => ApiObject;
}

/** Converted values are kept up to this size, so that gets and events that follow a write do not call the webhook again. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** Limits of one call of the webhook. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_OBJECTS = 500;

/** Values of one version of a kind, converted by its webhook from and to what is stored. */
export class ConvertedValues {
  readonly #parts: ConvertedValuesParts;
  /** By key, oldest first: a value as it is stored, and as it is shown. The same bytes convert to the same object. */
  readonly #kept = new Map<string, { readonly stored: Uint8Array; readonly shown: Uint8Array }>();
  #keptBytes = 0;

  constructor(parts: ConvertedValuesParts) {
    this.#parts = parts;
  }

  get isStoredVersion(): boolean {
    return this.#parts.shownVersion === this.#parts.storedVersion;
  }

  /** Whether a value is not stored as writes store it now. */
  isStale({ key, value }: KeyedValue): boolean {
    try {
      return !this.#parts.stored.isCurrent(value, key);
    } catch {
      return false;
    }
  }

  /** Stored values as they are shown, as far as that needs no webhook; undefined if one does. */
  showNow(values: readonly KeyedValue[]): Uint8Array[] | undefined {
    const shown: Uint8Array[] = [];
    for (const value of values) {
      const known = this.#known(value);
      if (!(known instanceof Uint8Array)) return undefined;
      shown.push(known);
    }
    return shown;
  }

  /** Stored values in the shown version. Unreadable values stay unchanged, for the reader to report. Rejects with an UnconvertibleError. */
  async show(values: readonly KeyedValue[]): Promise<Uint8Array[]> {
    const shown: Uint8Array[] = [];
    let batch: Pending[] = [];
    let bytes = 0;
    const convert = async (): Promise<void> => {
      const objects = await this.#parts.converter.convert(
        batch.map(({ object }) => object),
        this.#parts.shownVersion,
      );
      for (const [i, { index, from }] of batch.entries()) {
        const value = this.#encodeShown(this.#parts.coerce(objects[i] as ApiObject));
        shown[index] = value;
        this.#keep(from, value);
      }
      batch = [];
      bytes = 0;
    };
    for (const [index, from] of values.entries()) {
      const known = this.#known(from);
      if (known instanceof Uint8Array) {
        shown[index] = known;
        continue;
      }
      if (batch.length === BATCH_OBJECTS || (batch.length > 0 && bytes + from.value.length > BATCH_BYTES)) {
        await convert();
      }
      batch.push({ index, from, object: known });
      bytes += from.value.length;
    }
    if (batch.length > 0) await convert();
    return shown;
  }

  /** A value of the shown version as it is to be stored. Rejects with an UnconvertibleError. */
  async store({ key, value }: KeyedValue): Promise<Uint8Array> {
    const { shown, stored, storedVersion, converter, coerce } = this.#parts;
    const object = shown.read(key, value);
    const [converted] = await converter.convert([object], storedVersion);
    return stored.encode(coerce(converted as ApiObject) as unknown as PlainObject, key);
  }

  /** A value as it is shown, where no webhook is needed; else the object to convert. */
  #known(from: KeyedValue): Uint8Array | ApiObject {
    const kept = this.#kept.get(from.key);
    if (kept !== undefined && Buffer.compare(kept.stored, from.value) === 0) return kept.shown;
    let object: ApiObject;
    try {
      object = this.#parts.stored.read(from.key, from.value);
    } catch {
      return from.value;
    }
    return object.apiVersion === this.#parts.shownVersion ? this.#encodeShown(object) : object;
  }

  #encodeShown(object: ApiObject): Uint8Array {
    return this.#parts.shown.encode(object as unknown as PlainObject);
  }

  #keep({ key, value }: KeyedValue, shown: Uint8Array): void {
    this.#drop(key);
    this.#kept.set(key, { stored: Buffer.from(value), shown });
    this.#keptBytes += value.length + shown.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= KEPT_BYTES) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#keptBytes -= kept.stored.length + kept.shown.length;
    this.#kept.delete(key);
  }
}

interface Pending {
  readonly index: number;
  readonly from: KeyedValue;
  readonly object: ApiObject;
}
