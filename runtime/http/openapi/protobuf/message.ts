/**
 * Building blocks that describe how JSON becomes protobuf. A writer turns one value into the bytes of one field, tag included; a
 * shape turns an object into the bytes of a message. Zeros, empty texts and false are not written, as proto3 has it.
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

function delimited(number: number, content: Buffer): Buffer {
  return tagged(number, BYTES, varint(content.length), content);
}

/** Tag and length of a field whose content follows. */
export function delimitedHead(number: number, length: number): Buffer {
  return tagged(number, BYTES, varint(length));
}

export const text: FieldWriter = (number, value) =>
  value === "" ? NOTHING : delimited(number, Buffer.from(String(value)));

export const flag: FieldWriter = (number, value) => (value === true ? tagged(number, VARINT, varint(1)) : NOTHING);

export const integer: FieldWriter = (number, value) =>
  Number(value) === 0 ? NOTHING : tagged(number, VARINT, varint(Number(value)));

export const double: FieldWriter = (number, value) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(Number(value));
  return Number(value) === 0 ? NOTHING : tagged(number, FIXED64, bytes);
};

/** `Any { yaml = 2 }`: a value that is not interpreted. JSON is YAML, too, and far faster to print. */
const anyShape: Shape = (value) => delimited(2, Buffer.from(`${JSON.stringify(value)}\n`));

export const any: FieldWriter = (number, value) => delimited(number, anyShape(value));

/** Shapes refer to each other, so they are given as functions. */
export function message(shape: () => Shape): FieldWriter {
  return (number, value) => delimited(number, shape()(value));
}

/** One field per item. */
export function list(item: FieldWriter): FieldWriter {
  return (number, value) => Buffer.concat((value as readonly unknown[]).map((member) => item(number, member)));
}

/** Texts, each written even when empty. */
export const texts: FieldWriter = (number, value) =>
  Buffer.concat((value as readonly string[]).map((member) => delimited(number, Buffer.from(member))));

/** One `Named… { name = 1; value = 2 }` per member, in this very message. */
export function named(value: FieldWriter): FieldWriter {
  return (number, members) =>
    Buffer.concat(
      Object.entries(members as JsonMap).map(([name, member]) =>
        delimited(number, Buffer.concat([text(1, name), value(2, member)])),
      ),
    );
}

/** A map as a message of its own, whose only field holds the named members. */
export function map(value: FieldWriter): FieldWriter {
  return (number, members) => delimited(number, named(value)(1, members));
}

export interface Fields {
  readonly [key: string]: readonly [number: number, write: FieldWriter];
}

/** A struct: its fields in the order of their numbers, and what begins with `x-` as extensions. */
export function struct(fields: Fields, extensions: number): Shape {
  const ordered = Object.entries(fields).sort(([, [a]], [, [b]]) => a - b);
  return (value) => {
    const members = value as JsonMap;
    const parts = ordered.flatMap(([key, [number, write]]) =>
      members[key] === undefined || members[key] === null ? [] : [write(number, members[key])],
    );
    const extra = Object.entries(members).filter(([key]) => key.startsWith("x-"));
    parts.push(named(any)(extensions, Object.fromEntries(extra)));
    return Buffer.concat(parts);
  };
}

/** Writes the field that the value turns out to need. */
export function oneOf(choose: (value: JsonMap) => readonly [number: number, write: FieldWriter]): Shape {
  return (value) => {
    const [number, write] = choose(value as JsonMap);
    return write(number, value);
  };
}
