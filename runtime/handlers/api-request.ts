import type { RequestTrail, TimedPart } from "../contract/audit-trail.ts";
import type { RequestQuery, ResourceRequestInfo } from "../contract/request-info.ts";
import type { SubresourceDescriptor } from "../contract/resource-descriptor.ts";
import type { UserInfo } from "../contract/user-info.ts";
import type { ServedResource } from "../kinds/served-resource.ts";
import type { BodyFormat } from "../resource/parse-body.ts";

/** A request for a served resource, independent of the transport. */
export interface ApiRequest {
  readonly info: ResourceRequestInfo;
  readonly resource: ServedResource;
  /** Absent for the resource itself. */
  readonly subresource: SubresourceDescriptor | undefined;
  readonly query: RequestQuery;
  readonly user: UserInfo;
  readonly userAgent: string | undefined;
  /** Returns the format of the body; JSON by default. Throws 415 for an unsupported format. */
  readonly bodyFormat: () => BodyFormat;
  /**
   * Throws 415 if no kind accepts the media type of the body. Like Kubernetes, does not check what a custom kind accepts; `bodyFormat` does
   * so later.
   */
  readonly checkContentType: () => void;
  /** Media type of the body as the client sent it, without parameters. */
  readonly contentType: string;
  /** Reads the whole body. Throws 413 beyond the limit. */
  readonly body: () => Promise<Buffer>;
  /** Size of the body in bytes; 0 before it is read. */
  readonly bodySize: () => number;
  /** Adds a Warning header to the response. */
  readonly warn: (message: string) => void;
  readonly annotate: (key: string, value: string) => void;
  readonly waited: (milliseconds: number, part?: TimedPart) => void;
  /** Whether the response was sent already, because the request took too long. */
  readonly isOver: () => boolean;
  /** Set if the request is audited. */
  readonly trail: RequestTrail | undefined;
}
