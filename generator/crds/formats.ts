import type { JsonSchema, SchemaRule } from "./json-schema.ts";

/** How a format is validated by a server that does not know it: CustomResourceDefinitions ignore unknown formats. */
export interface FormatKeywords {
  readonly keywords?: Pick<JsonSchema, "format" | "maxLength" | "pattern" | "allOf">;
  readonly rule?: SchemaRule;
}

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const matching = (pattern: string, maxLength?: number): FormatKeywords => ({
  keywords: { pattern: `^${pattern}$`, ...(maxLength !== undefined && { maxLength }) },
});

/** The formats of the vocabulary (`FormatName`). */
export const FORMATS: { readonly [format: string]: FormatKeywords } = {
  "dns1123-label": matching(LABEL, 63),
  "dns1123-subdomain": matching(SUBDOMAIN, 253),
  "dns1035-label": matching("[a-z]([-a-z0-9]*[a-z0-9])?", 63),
  "qualified-name": matching(`(${SUBDOMAIN}/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]`, 317),
  "label-value": matching("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?", 63),
  "config-map-key": matching("\\.?[-_a-zA-Z0-9][-._a-zA-Z0-9]*", 253),
  "env-var-name": matching("(\\.?[-_a-zA-Z][-._a-zA-Z0-9]*|\\.[0-9][-._a-zA-Z0-9]*)"),
  "port-name": { keywords: { maxLength: 15, pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", allOf: [{ pattern: "[a-z]" }] } },
  ip: { rule: { rule: "isIP(self)", message: "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)" } },
  ipv4: { rule: { rule: "isIP(self) && ip(self).family() == 4", message: "must be a valid IPv4 address" } },
  ipv6: { rule: { rule: "isIP(self) && ip(self).family() == 6", message: "must be a valid IPv6 address" } },
  cidr: {
    rule: { rule: "isCIDR(self)", message: "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)" },
  },
  uri: { keywords: { format: "uri" } },
  uuid: matching("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
  "absolute-path": { keywords: { pattern: "^/" } },
};
