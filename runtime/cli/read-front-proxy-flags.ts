import type { FrontProxyTrust } from "../contract/authentication.ts";
import { type FlagValues, UsageError } from "./parse-flags.ts";
import { readAuthority } from "./read-authority.ts";

/** The `--requestheader-*` flags; undefined without a CA: then the headers are ignored. */
export function readFrontProxyFlags(flags: FlagValues): FrontProxyTrust | undefined {
  const list = (name: string): readonly string[] => {
    const values = flags.list(name);
    if (values.some((value) => value.trim() === "")) throw new UsageError(`empty value in "${name}"`);
    return values;
  };
  const options = {
    allowedNames: list("requestheader-allowed-names"),
    usernameHeaders: list("requestheader-username-headers"),
    uidHeaders: list("requestheader-uid-headers"),
    groupHeaders: list("requestheader-group-headers"),
    extraHeaderPrefixes: list("requestheader-extra-headers-prefix"),
  };
  const { uidHeaders } = options;
  if (uidHeaders.length > 0 && !uidHeaders.some((name) => name.toLowerCase() === "x-remote-uid"))
    throw new UsageError(
      "--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work",
    );
  const authority = readAuthority(flags, "requestheader-client-ca-file");
  return authority === undefined ? undefined : { authority, ...options };
}
