import { admitted } from "./admitted.ts";
import { appliers } from "./appliers.ts";
import { changedWrites, customWrites } from "./changed-writes.ts";
import { charges } from "./charges.ts";
import type { RequestMaker, SequenceMaker } from "./compared-request.ts";
import { isUnanswered } from "./comparison.ts";
import { conditions } from "./conditions.ts";
import { definitions } from "./definitions.ts";
import { deletions } from "./deletions.ts";
import type { Episode } from "./episode.ts";
import { expressions } from "./expressions.ts";
import { forms } from "./forms.ts";
import { identities } from "./identities.ts";
import { lives } from "./lives.ts";
import { made } from "./made.ts";
import { mediaTypes } from "./media-types.ts";
import { oddRequests } from "./odd-requests.ts";
import { ownKinds } from "./own-kinds.ts";
import { pages } from "./pages.ts";
import { patchedLives, patches } from "./patches.ts";
import { policies } from "./policies.ts";
import { reads } from "./reads.ts";
import { reviews } from "./reviews.ts";
import { streams } from "./streams.ts";
import { subresources } from "./subresources.ts";
import { jsonTexts, protobufBodies, yamlTexts } from "./texts.ts";
import { watches } from "./watches.ts";

type Ideas = Readonly<Record<string, Episode>>;

/** What is sent. The names are the values of `IDEAS=`. */
export const IDEAS: Ideas = episodesOf({
  changedWrites,
  customWrites,
  reads,
  deletions,
  subresources,
  appliers,
  mediaTypes,
  reviews,
  patches,
  expressions,
  jsonTexts,
  yamlTexts,
  protobufBodies,
  admitted,
  oddRequests,
});
/** Ideas whose requests take a second each. They are sent in parallel with the others. */
export const SLOW_IDEAS: Ideas = episodesOf({ watches });
/** Ideas that write their own objects in their own namespaces. They are sent in parallel with the others. */
export const EPISODES: Ideas = { streams, pages, conditions, definitions, policies, identities, ownKinds };
/** Ideas that change objects that others list. They are sent last. */
export const LAST_IDEAS: Ideas = episodesOf({ lives, patchedLives, charges, forms, made });

/** Creates episodes that ignore the responses. */
function episodesOf(makers: Readonly<Record<string, RequestMaker | SequenceMaker>>): Ideas {
  const episodeOf = (make: RequestMaker | SequenceMaker): Episode => {
    return async (random, world, exchange) => {
      const made = make(random, world);
      for (const request of Symbol.iterator in made ? made : [made])
        if (isUnanswered(await exchange.send(request))) break;
    };
  };
  return Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, episodeOf(make)]));
}
