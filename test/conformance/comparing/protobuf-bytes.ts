import { registry } from "../../../generated/registry.ts";
import { encodeEnvelope } from "../../../runtime/encoding/protobuf/envelope.ts";
import { createSchemas } from "../../../runtime/schema/schemas.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";

const schemas = createSchemas(registry.createTypeSource());
const refs = new Map(
  registry
    .readCatalogue()
    .resources.map(({ group, version, kind, type }) => [`${group ? `${group}/` : ""}${version} ${kind}`, type]),
);

/** A field of an encoded message. */
interface Field {
  readonly number: number;
  readonly wire: number;
  readonly content: Buffer;
}

/** Returns the object in protobuf with one to three changed fields; undefined for custom kinds. */
export function oddProtobuf(random: Random, object: Parsed): { bytes: Buffer; what: string } | undefined {
  const { apiVersion, kind } = object;
  const ref = refs.get(`${apiVersion} ${kind}`);
  if (ref === undefined) return undefined;
  const schema = schemas.of(ref);
  const what: string[] = [];
  let raw: Buffer = Buffer.from(schema.encodeProtobuf(schema.decode(object)));
  for (let times = random.int(4); times > 0; times--) raw = changedMessage(random, raw, what);
  let bytes = encodeEnvelope({ apiVersion, kind, raw });
  if (random.chance(0.05)) {
    what.push("envelope");
    bytes = Buffer.concat([bytes.subarray(0, 4), changedMessage(random, bytes.subarray(4), what)]);
  }
  if (random.chance(0.02)) bytes = bytes.subarray(0, random.int(bytes.length));
  return { bytes, what: what.join(", ") };
}

/** Changes one field at any depth. */
function changedMessage(random: Random, message: Buffer, what: string[]): Buffer {
  const fields = fieldsOf(message);
  if (fields === undefined || fields.length === 0) return message;
  const index = random.int(fields.length);
  const field = fields[index] as Field;
  if (field.wire === 2 && random.chance(0.75)) {
    const content = changedMessage(random, field.content, what);
    if (content !== field.content) {
      what.push(String(field.number));
      return join(fields.with(index, { ...field, content }));
    }
  }
  const [name, changed] = random.one<[string, Buffer]>(
    () => ["reordered", join([...fields].reverse())],
    () => ["doubled", join([...fields, field])],
    () => ["doubled before", join([field, ...fields])],
    () => ["halved", join([...fields, { ...field, content: field.content.subarray(0, field.content.length >> 1) }])],
    () => ["without", join(fields.toSpliced(index, 1))],
    () => ["unknown", join(fields.toSpliced(index, 0, unknownField(random)))],
    () => ["unknown", join(fields.toSpliced(index, 0, unknownField(random)))],
    () => ["unknown", join(fields.toSpliced(index, 0, unknownField(random)))],
    () => ["empty", join(fields.with(index, { ...field, content: Buffer.alloc(field.wire === 2 ? 0 : 1) }))],
    () => [
      "other number",
      join(fields.with(index, { ...field, number: random.pick([0, 1, 2, 3, 15, 16, 536870911]) })),
    ],
    () => ["other value", join(fields.with(index, { ...field, content: otherContent(random, field) }))],
    () => ["other value", join(fields.with(index, { ...field, content: otherContent(random, field) }))],
    () => ["longer varints", join(fields, true)],
  );
  what.push(`${name} ${field.number}`);
  return changed;
}

function unknownField(random: Random): Field {
  const number = random.pick([100, 1000, 18_999, 19_000, 536_870_911]);
  return random.pick<Field>([
    { number, wire: 0, content: varint(300n) },
    { number, wire: 1, content: Buffer.alloc(8, 1) },
    { number, wire: 2, content: Buffer.from("abc") },
    { number, wire: 2, content: Buffer.alloc(0) },
    { number, wire: 5, content: Buffer.alloc(4, 1) },
    { number, wire: 3, content: varint(BigInt(number * 8 + 4)) },
    { number, wire: 3, content: Buffer.concat([varint(8n), varint(1n), varint(BigInt(number * 8 + 4))]) },
    { number, wire: 4, content: Buffer.alloc(0) },
    { number, wire: 0, content: Buffer.alloc(10, 0xff) },
    { number, wire: 0, content: Buffer.from([0x80, 0x80, 0]) },
  ]);
}

function otherContent(random: Random, { wire, content }: Field): Buffer {
  if (wire === 2) {
    return random.pick([
      Buffer.from("\u00e9"),
      Buffer.from([0xff, 0xfe]),
      Buffer.from("x"),
      Buffer.from([0]),
      Buffer.concat([content, Buffer.from("x")]),
    ]);
  }
  if (wire === 0)
    return varint(
      random.pick([0n, 1n, 2n, 128n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n - 2n]),
    );
  return Buffer.from(random.bytes(content.length));
}

/** Returns the fields of a message; undefined if the bytes are not a message but, for example, a string. */
function fieldsOf(message: Buffer): Field[] | undefined {
  const fields: Field[] = [];
  for (let at = 0; at < message.length; ) {
    const [tag, next] = readVarint(message, at);
    const [number, wire] = [Number(tag >> 3n), Number(tag & 7n)];
    if (number === 0) return undefined;
    let [start, end] = [next, next];
    if (wire === 0) end = readVarint(message, next)[1];
    else if (wire === 1) end += 8;
    else if (wire === 5) end += 4;
    else if (wire === 2) {
      const [size, after] = readVarint(message, next);
      start = after;
      end = after + Number(size);
    } else return undefined;
    if (end > message.length) return undefined;
    fields.push({ number, wire, content: message.subarray(start, end) });
    at = end;
  }
  return fields;
}

function readVarint(bytes: Buffer, at: number): [bigint, number] {
  let [value, shift, next] = [0n, 0n, at];
  for (; next < bytes.length && shift < 70n; shift += 7n) {
    const byte = bytes[next++] as number;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return [value, next];
}

function varint(value: bigint, isLong = false): Buffer {
  const bytes: number[] = [];
  for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
  return Buffer.from(isLong ? [...bytes, Number(value) | 128, 0] : [...bytes, Number(value)]);
}

function join(fields: readonly Field[], isLong = false): Buffer {
  return Buffer.concat(
    fields.flatMap(({ number, wire, content }) => [
      varint(BigInt(number) * 8n + BigInt(wire), isLong),
      ...(wire === 2 ? [varint(BigInt(content.length), isLong)] : []),
      content,
    ]),
  );
}
