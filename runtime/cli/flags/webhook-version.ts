import { UsageError } from "../usage-error.ts";
import { type Flag, string } from "./flag.ts";

/** The API version of reviews that are sent to an authentication or authorization webhook. */
export function webhookVersion(name: string, who: string, reviews: string): Flag<"v1" | "v1beta1"> {
  const help = `API version of the ${reviews} that are sent: v1 or v1beta1.`;
  return string(name, { default: "v1beta1", help }).to((version) => {
    if (version === "v1" || version === "v1beta1") return version;
    throw new UsageError(`unsupported ${who} version "${version}", supported versions are "v1", "v1beta1"`);
  });
}
