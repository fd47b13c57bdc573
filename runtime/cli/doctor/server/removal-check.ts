import { ApiError } from "../../../client/api-error.ts";
import type { ApiRegistry } from "../../../contract/api-registry.ts";
import { describeFinding } from "../../../manifests/find-removals.ts";
import { ServerError } from "../../../manifests/kubeconfig-client.ts";
import { serverUses } from "../../../manifests/server-uses.ts";
import { ReleaseError, shiftRelease } from "../../../release/release.ts";
import { createRemovalJudge } from "../../removals.ts";
import { type Check, type Finding, NotApplicable } from "../check.ts";
import type { ServerView } from "./server-view.ts";

/** Maximum number of findings that are listed individually. */
const LISTED = 10;

export function removals(registry: ApiRegistry): Check<ServerView> {
  return {
    name: "removals",
    looksAt: "objects that clients wrote in API versions which the next release removes",
    async run(server) {
      const { major, minor } = await server.read<{ major: string; minor: string }>("/version");
      const { release, judge } = judgeOf(registry, shiftRelease(`${major}.${Number.parseInt(minor, 10)}`, 1));
      const read = async (path: string): Promise<unknown> => {
        try {
          return await server.read(path);
        } catch (error) {
          if (error instanceof ApiError) throw new ServerError(error.httpStatus, `${error.request}: ${error.message}`);
          throw error;
        }
      };
      const gone: string[] = [];
      const unread: string[] = [];
      for await (const use of serverUses(read, (problem) => unread.push(problem)))
        gone.push(
          ...judge(use)
            .filter((found) => found.gone)
            .map(describeFinding),
        );
      const advice = `Convert the manifests and update the clients before you upgrade to ${release}: typeplane removals --from-server --target-release ${release}.`;
      const findings = gone
        .slice(0, LISTED)
        .map((finding): Finding => ({ severity: "warning", finding: `${finding}.`, advice }));
      if (gone.length > LISTED)
        findings.push({
          severity: "warning",
          finding: `${gone.length - LISTED} more objects use removed versions.`,
          advice,
        });
      if (unread.length > 0)
        findings.push({
          severity: "info",
          finding: `${unread.length} resources could not be read: ${unread[0]}`,
          advice: "Use a kubeconfig with permission to list all resources.",
        });
      return findings;
    },
  };
}

function judgeOf(registry: ApiRegistry, release: string): ReturnType<typeof createRemovalJudge> {
  try {
    return createRemovalJudge(registry, release);
  } catch (error) {
    if (error instanceof ReleaseError) throw new NotApplicable(error.message);
    throw error;
  }
}
