import { UnconvertibleError } from "../../../store/errors.ts";
import type { Store, StoreEntry, StoreEvent, WatchReceiver } from "../../../store/store.ts";
import { watchThrough } from "../../../store/watch-through.ts";
import type { ConvertedValues, KeyedValue } from "./converted-values.ts";

/**
 * Adapts a store to one version of a kind with a conversion webhook: values that are read or watched are converted to that version, values
 * that are written are converted to the stored version. Callers need not know about webhooks. Values that need no conversion are never
 * delayed. If a conversion fails, a read fails and a watch ends (the watcher then lists again).
 */
export function convertingStore(inner: Store, values: ConvertedValues): Store {
  const shown = async (entries: readonly StoreEntry[]): Promise<StoreEntry[]> => {
    const converted = await values.show(entries);
    return entries.map((entry, index) => ({ ...entry, value: converted[index] as Uint8Array }));
  };
  return {
    // Events that need conversion arrive later than the response to the write.
    get watchesAreImmediate() {
      return inner.watchesAreImmediate && values.isStoredVersion;
    },
    tellsProgress: inner.tellsProgress,
    identity: inner.identity,
    currentRevision: () => inner.currentRevision(),
    diskUse: () => inner.diskUse(),
    async get(key, options) {
      const entry = await inner.get(key, options);
      if (entry === undefined) return undefined;
      const [converted] = await shown([entry]);
      return { ...(converted as StoreEntry), stale: values.isStale(entry) };
    },
    async range(request) {
      const result = await inner.range(request);
      return { ...result, entries: await shown(result.entries) };
    },
    async put(key, value, options) {
      const stored = await values.store({ key, value });
      if (values.isStoredVersion) return inner.put(key, stored, options);
      // Rejects a write whose stored value could not be converted back.
      const [back] = await values.show([{ key, value: stored }]);
      const { revision } = await inner.put(key, stored, options);
      return { revision, value: back as Uint8Array };
    },
    delete: (key, options) => inner.delete(key, options),
    watch(request, receiver) {
      const converting = new ConvertingReceiver(receiver, values, () => watch.close());
      const watch = watchThrough(inner, request, converting);
      return watch;
    },
    compact: (revision) => inner.compact(revision),
    close: () => inner.close(),
  };
}

/** Limit for events that wait for a slow webhook. A watch that exceeds it ends, and its watcher lists again. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

interface Notice {
  readonly events: readonly StoreEvent[];
  readonly pass: (events: readonly StoreEvent[]) => void;
}

/** Passes events on in order: immediately while no conversion is running, otherwise all that have arrived in the meantime as one batch. */
class ConvertingReceiver implements WatchReceiver {
  readonly #receiver: WatchReceiver;
  readonly #values: ConvertedValues;
  readonly #endWatch: () => void;
  #waiting: Notice[] = [];
  #waitingBytes = 0;
  #isConverting = false;
  #closed = false;

  constructor(receiver: WatchReceiver, values: ConvertedValues, endWatch: () => void) {
    this.#receiver = receiver;
    this.#values = values;
    this.#endWatch = endWatch;
  }

  changed(events: readonly StoreEvent[], revision: number): void {
    this.#take({ events, pass: (converted) => this.#receiver.changed(converted, revision) });
  }

  progress(revision: number): void {
    this.#take({ events: [], pass: () => this.#receiver.progress(revision) });
  }

  failed(error: Error): void {
    this.#take({ events: [], pass: () => this.#receiver.failed(error) });
  }

  close(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #take(notice: Notice): void {
    if (this.#closed) return;
    if (!this.#isConverting) {
      const values = valuesOf(notice.events);
      const converted = this.#values.showNow(values);
      if (converted !== undefined) {
        notice.pass(withValues(notice.events, converted[Symbol.iterator]()));
        return;
      }
    }
    this.#waiting.push(notice);
    this.#waitingBytes += valuesOf(notice.events).reduce((sum, { value }) => sum + value.length, 0);
    if (this.#waitingBytes > MAX_WAITING_BYTES) {
      this.#fail(new UnconvertibleError("too many events wait for the conversion webhook"));
      return;
    }
    if (!this.#isConverting) void this.#convertWaiting();
  }

  async #convertWaiting(): Promise<void> {
    this.#isConverting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      try {
        const converted = await this.#values.show(batch.flatMap(({ events }) => valuesOf(events)));
        const next = converted[Symbol.iterator]();
        for (const { events, pass } of batch) {
          const passed = withValues(events, next);
          if (!this.#closed) pass(passed);
        }
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#isConverting = false;
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    this.close();
    this.#endWatch();
    this.#receiver.failed(error instanceof Error ? error : new UnconvertibleError(String(error)));
  }
}

/** Returns the values of events that need conversion, in the order in which `withValues` consumes them. */
function valuesOf(events: readonly StoreEvent[]): KeyedValue[] {
  return events.flatMap(({ type, key, value, previous }) => [
    ...(type === "put" ? [{ key, value }] : []),
    ...(previous === undefined ? [] : [previous]),
  ]);
}

function withValues(events: readonly StoreEvent[], values: Iterator<Uint8Array>): StoreEvent[] {
  return events.map((event) => ({
    ...event,
    ...(event.type === "put" && { value: values.next().value as Uint8Array }),
    ...(event.previous && { previous: { ...event.previous, value: values.next().value as Uint8Array } }),
  }));
}
