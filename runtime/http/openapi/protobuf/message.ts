/**
 * Building blocks that describe how JSON is encoded as protobuf. A writer encodes one value as the bytes of one field, tag included; a
 * shape encodes an object as the bytes of a message. As in proto3, zeros, empty strings and false are not written.
 */
export type FieldWriter = (number: number, value: unknown) => Buffer;
export type Shape = (value: unknown) => Buffer;
export type JsonMap = Readonly<Record<string, unknown>>;

const NOTHING = Buffer.alloc(0);
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

function tagged(number: number, wire: number, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([varint(number * 8 + wire), ...parts]);
}

/** Allocates only once, because documents consist of hundreds of thousands of such fields. */
function delimited(number: number, content: Buffer): Buffer {
  const field = withHead(number, content.length);
  content.copy(field, field.length - content.length);
  return field;
}

/** Returns the tag, the length, and uninitialized bytes for the content. */
function withHead(number: number, length: number): Buffer {
  const tag = number * 8 + BYTES;
  const field = Buffer.allocUnsafe(varintLength(tag) + varintLength(length) + length);
  writeVarint(field, writeVarint(field, 0, tag), length);
  return field;
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) length += 1;
  return length;
}

/** Returns the offset at which the varint ends. */
function writeVarint(into: Buffer, at: number, value: number): number {
  let [end, rest] = [at, value];
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) into[end++] = (rest % 0x80) + 0x80;
  into[end++] = rest;
  return end;
}

/** The tag and length of a field whose content follows. */
export function delimitedHead(number: number, length: number): Buffer {
  return tagged(number, BYTES, varint(length));
}

/** Documents of extension servers may contain any value in place of a string or number: objects and lists are omitted. */
const isScalar = (value: unknown): boolean => typeof value !== "object";

export const text: FieldWriter = (number, value) =>
  value === "" || !isScalar(value) ? NOTHING : utf8(number, String(value));

function utf8(number: number, value: string): Buffer {
  const length = Buffer.byteLength(value);
  const field = withHead(number, length);
  field.write(value, field.length - length);
  return field;
}

export const flag: FieldWriter = (number, value) => (value === true ? tagged(number, VARINT, varint(1)) : NOTHING);

export const integer: FieldWriter = (number, value) => {
  const count = isScalar(value) ? Number(value) : 0;
  return count > 0 && Number.isFinite(count) ? tagged(number, VARINT, varint(count)) : NOTHING;
};

export const double: FieldWriter = (number, value) => {
  if (!isScalar(value) || Number(value) === 0) return NOTHING;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(Number(value));
  return tagged(number, FIXED64, bytes);
};

/** `Any { yaml = 2 }`: an uninterpreted value. It is written as JSON, which is valid YAML and much faster to print. */
const anyShape: Shape = (value) => delimited(2, Buffer.from(`${JSON.stringify(value)}\n`));

export const any: FieldWriter = (number, value) => delimited(number, anyShape(value));

/** The shape is passed as a function, because shapes refer to each other. */
export function message(shape: () => Shape): FieldWriter {
  return (number, value) => delimited(number, shape()(value));
}

/** Writes one field per item. */
export function list(item: FieldWriter): FieldWriter {
  return (number, value) => Buffer.concat((value as readonly unknown[]).map((member) => item(number, member)));
}

/** Writes one field per string, including empty strings. */
export const texts: FieldWriter = (number, value) =>
  Buffer.concat((value as readonly string[]).map((member) => delimited(number, Buffer.from(member))));

/** Writes one `Named… { name = 1; value = 2 }` field per member, directly into the present message. */
export function named(value: FieldWriter): FieldWriter {
  return (number, members) =>
    Buffer.concat(
      Object.entries(members as JsonMap).map(([name, member]) =>
        delimited(number, Buffer.concat([text(1, name), value(2, member)])),
      ),
    );
}

/** Writes a map as a separate message, whose only field contains the named members. */
export function map(value: FieldWriter): FieldWriter {
  return (number, members) => delimited(number, named(value)(1, members));
}

export interface Fields {
  readonly [key: string]: readonly [number: number, write: FieldWriter];
}

/** The shape of a struct: its fields in the order of their numbers, then members that begin with `x-` as extensions. */
export function struct(fields: Fields, extensions: number): Shape {
  const known = new Map(Object.entries(fields));
  const extend = named(any);
  return (value) => {
    const members = value as JsonMap;
    const found: { readonly number: number; readonly bytes: Buffer }[] = [];
    const extra: Record<string, unknown> = {};
    let hasExtra = false;
    for (const key of Object.keys(members)) {
      const member = members[key];
      const field = known.get(key);
      if (field !== undefined) {
        if (member !== undefined && member !== null)
          found.push({ number: field[0], bytes: field[1](field[0], member) });
      } else if (key.startsWith("x-")) {
        extra[key] = member;
        hasExtra = true;
      }
    }
    const parts = found.sort((a, b) => a.number - b.number).map(({ bytes }) => bytes);
    if (hasExtra) parts.push(extend(extensions, extra));
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  };
}

/** The shape of a oneof: writes the field that `choose` selects for the value. */
export function oneOf(choose: (value: JsonMap) => readonly [number: number, write: FieldWriter]): Shape {
  return (value) => {
    const [number, write] = choose(value as JsonMap);
    return write(number, value);
  };
}
