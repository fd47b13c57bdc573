/** Bytes reserved before the content of a chunk for its length and a line end, and after the content for another line end. */
const LENGTH_ROOM = 10;
const END_ROOM = 2;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MOST_BYTES_PER_UNIT = 3;

/** Receives the parts of a body in order. */
export interface BodyWriter {
  byte(byte: number): void;
  text(text: string): void;
  bytes(bytes: Buffer, start?: number, end?: number): void;
}

/** A piece of a body, in memory that is reused once it is sent. */
export class Chunk {
  readonly #memory: Buffer;
  #end = LENGTH_ROOM;

  constructor(bytes: number) {
    this.#memory = Buffer.allocUnsafeSlow(LENGTH_ROOM + bytes + END_ROOM);
  }

  get length(): number {
    return this.#end - LENGTH_ROOM;
  }

  get room(): number {
    return this.#memory.length - END_ROOM - this.#end;
  }

  /** Empties the chunk. */
  clear(): void {
    this.#end = LENGTH_ROOM;
  }

  byte(byte: number): void {
    this.#memory[this.#end++] = byte;
  }

  text(text: string): void {
    this.#end += this.#memory.write(text, this.#end);
  }

  bytes(bytes: Buffer, start: number, end: number): void {
    this.#end += bytes.copy(this.#memory, this.#end, start, end);
  }

  /** The content without framing. */
  content(): Buffer {
    return this.#memory.subarray(LENGTH_ROOM, this.#end);
  }

  /** The content in HTTP's chunked transfer coding: its length, a line end, the content, a line end. */
  framed(): Buffer {
    const length = `${this.length.toString(16)}\r\n`;
    const start = LENGTH_ROOM - length.length;
    this.#memory.write(length, start, "latin1");
    this.#memory[this.#end] = CARRIAGE_RETURN;
    this.#memory[this.#end + 1] = LINE_FEED;
    return this.#memory.subarray(start, this.#end + END_ROOM);
  }
}

/** Provides chunks, and takes them back once they are sent. */
export interface ChunkSource {
  readonly chunkBytes: number;
  take(): Chunk;
  giveBack(chunk: Chunk): void;
}

/**
 * Writes a body into chunks. The sender takes full chunks while writing continues, and returns each once it is sent: a body of any size
 * needs only a few chunks of memory.
 */
export class ChunkWriter implements BodyWriter {
  readonly #source: ChunkSource;
  #full: Chunk[] = [];
  #current: Chunk;

  constructor(source: ChunkSource) {
    this.#source = source;
    this.#current = source.take();
  }

  byte(byte: number): void {
    if (this.#current.room === 0) this.#turn();
    this.#current.byte(byte);
  }

  text(text: string): void {
    const most = text.length * MOST_BYTES_PER_UNIT;
    if (most > this.#source.chunkBytes) {
      this.bytes(Buffer.from(text));
      return;
    }
    if (most > this.#current.room) this.#turn();
    this.#current.text(text);
  }

  bytes(bytes: Buffer, start = 0, end = bytes.length): void {
    let at = start;
    while (end - at > this.#current.room) {
      const next = at + this.#current.room;
      this.#current.bytes(bytes, at, next);
      at = next;
      this.#turn();
    }
    this.#current.bytes(bytes, at, end);
  }

  /** Takes the full chunks, in order. */
  takeFull(): readonly Chunk[] {
    if (this.#full.length === 0) return NONE;
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** Takes the last chunk, full or not. Nothing may be written afterwards. */
  takeLast(): Chunk {
    return this.#current;
  }

  giveBack(chunk: Chunk): void {
    this.#source.giveBack(chunk);
  }

  #turn(): void {
    this.#full.push(this.#current);
    this.#current = this.#source.take();
  }
}

const NONE: readonly Chunk[] = [];
