import type { Authorizer } from "../contract/authorization.ts";
import type { Naming } from "../contract/naming.ts";
import type { UserInfo } from "../contract/user-info.ts";

/** Whether a user is authorized to `approve`, `sign` or `attest` for a signer, by its name or its domain (`example.com/*`). */
export async function maySign(
  parts: { readonly naming: Naming; readonly authorizer: Authorizer },
  user: UserInfo,
  verb: "approve" | "sign" | "attest",
  signer: string,
): Promise<boolean> {
  const group = parts.naming.group("certificates");
  for (const name of [signer, `${signer.split("/")[0]}/*`]) {
    const asked = { user, verb, group, version: "*", resource: "signers", subresource: "", namespace: "", name };
    if ((await parts.authorizer.authorize(asked)).decision === "allow") return true;
  }
  return false;
}
