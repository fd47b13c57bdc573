import type { ApiObject } from "../../../contract/api-object.ts";
import type { PlainObject } from "../../../watch/cached-object.ts";
import type { StoredValueCodec } from "../../stored-value-codec.ts";
import type { WebhookConverter } from "./webhook-converter.ts";

export interface KeyedValue {
  readonly key: string;
  readonly value: Uint8Array;
}

export interface ConvertedValuesParts {
  /** Version of the values that readers receive, such as `example.com/v2`. */
  readonly shownVersion: string;
  readonly storedVersion: string;
  /** Decodes stored values in whichever version they are stored, and encodes values of the stored version. */
  readonly stored: StoredValueCodec;
  /** Decodes and encodes values of the shown version. */
  readonly shown: StoredValueCodec;
  readonly converter: WebhookConverter;
  /** Adjusts a converted object to the schema of its version. */
  readonly coerce: (object: ApiObject) => ApiObject;
}

/** Size of the cache of converted values, so that gets and events after a write do not call the webhook again. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** Limits of one webhook call. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_OBJECTS = 500;

/** Converts the values of a kind between its stored version and one other version, by its webhook. */
export class ConvertedValues {
  readonly #parts: ConvertedValuesParts;
  /** Cache by key, oldest first: stored value and shown value. The cached value is used only if the stored bytes are equal. */
  readonly #kept = new Map<string, { readonly stored: Uint8Array; readonly shown: Uint8Array }>();
  #keptBytes = 0;

  constructor(parts: ConvertedValuesParts) {
    this.#parts = parts;
  }

  get isStoredVersion(): boolean {
    return this.#parts.shownVersion === this.#parts.storedVersion;
  }

  /** Whether the stored form of a value differs from the one that writes use now. */
  isStale({ key, value }: KeyedValue): boolean {
    try {
      return !this.#parts.stored.isCurrent(value, key);
    } catch {
      return false;
    }
  }

  /** Converts stored values to the shown version without calling the webhook. Returns undefined if a value needs the webhook. */
  showNow(values: readonly KeyedValue[]): Uint8Array[] | undefined {
    const shown: Uint8Array[] = [];
    for (const value of values) {
      const known = this.#known(value);
      if (!(known instanceof Uint8Array)) return undefined;
      shown.push(known);
    }
    return shown;
  }

  /**
   * Converts stored values to the shown version. Leaves unreadable values unchanged, so that the reader reports them. Rejects with an
   * UnconvertibleError.
   */
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

  /** Converts a value of the shown version to the value to store. Rejects with an UnconvertibleError. */
  async store({ key, value }: KeyedValue): Promise<Uint8Array> {
    const { shown, stored, storedVersion, converter, coerce } = this.#parts;
    const object = shown.read(key, value);
    const [converted] = await converter.convert([object], storedVersion);
    return stored.encode(coerce(converted as ApiObject) as unknown as PlainObject, key);
  }

  /** Returns the shown value if it needs no webhook, else the object to convert. */
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
