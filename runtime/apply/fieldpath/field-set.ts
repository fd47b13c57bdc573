import type { Steps } from "../../lib/in-turns.ts";
import type { JsonObject } from "../../lib/json-object.ts";
import { sortElements } from "./element-order.ts";
import type { Path } from "./path.ts";
import type { PathElement } from "./path-element.ts";

/**
 * The node of one path element: whether the path that ends here belongs to the set, and which longer paths do. Nodes that are neither a
 * member nor have children do not exist.
 */
export interface FieldSetNode {
  readonly member: boolean;
  readonly children: FieldSet | undefined;
}

/** If the other set has more nodes than this in excess, the union starts from the other set. Smaller unions keep the identity of this set. */
const MANY_NODES = 1000;

/** Number of nodes of a large set that are copied or checked in one step. */
const NODES_PER_STEP = 2000;

/** Shared by all paths that end at a member without children. */
export const LEAF: FieldSetNode = { member: true, children: undefined };

/**
 * An immutable set of paths, represented as a trie:
 *
 *     .metadata.labels and .metadata.labels.app   metadata -> labels (member) -> app (member)
 *
 * A path may be a member without its descendants, and vice versa. Operations share the parts that they do not change. An operation without
 * effect returns the same set, so changes can be detected by identity.
 */
export class FieldSet {
  static readonly EMPTY = new FieldSet(new Map());

  readonly nodes: ReadonlyMap<PathElement, FieldSetNode>;
  /** The set as FieldsV1, without and with the empty path as a member. Cached by `setToFieldsV1`. */
  printed: JsonObject | undefined = undefined;
  printedAsMember: JsonObject | undefined = undefined;
  /** Unique number of an interned set; equal interned sets are the same object. 0 if not interned. Set by `internSet`. */
  number = 0;

  /** `nodes` must not change afterwards, and must not contain nodes that are neither a member nor have children. */
  constructor(nodes: ReadonlyMap<PathElement, FieldSetNode>) {
    this.nodes = nodes;
  }

  static of(...paths: readonly Path[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  /** Unites sets in pairs. Uniting them one after another would copy the first sets once for every further set. */
  static unionOf(sets: readonly FieldSet[]): FieldSet {
    let level = sets;
    while (level.length > 1) {
      const next: FieldSet[] = [];
      for (let i = 0; i < level.length; i += 2) {
        const [a, b] = [level[i] as FieldSet, level[i + 1]];
        next.push(b === undefined ? a : a.union(b));
      }
      level = next;
    }
    return level[0] ?? FieldSet.EMPTY;
  }

  get isEmpty(): boolean {
    return this.nodes.size === 0;
  }

  /** Number of paths in the set. */
  get size(): number {
    let count = 0;
    for (const node of this.nodes.values()) count += (node.member ? 1 : 0) + (node.children?.size ?? 0);
    return count;
  }

  has(path: Path): boolean {
    let set: FieldSet | undefined = this;
    for (let i = 0; i < path.length; i++) {
      const node: FieldSetNode | undefined = set?.nodes.get(path[i] as PathElement);
      if (node === undefined) return false;
      if (i === path.length - 1) return node.member;
      set = node.children;
    }
    return false;
  }

  /** The members below an element, as paths relative to it. */
  below(element: PathElement): FieldSet {
    return this.nodes.get(element)?.children ?? FieldSet.EMPTY;
  }

  union(other: FieldSet): FieldSet {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    const [large, small] = other.nodes.size > MANY_NODES + this.nodes.size ? [other, this] : [this, other];
    return large.#replaceNodes(small.nodes.keys(), (element, mine) =>
      uniteNodes(mine, small.nodes.get(element) as FieldSetNode),
    );
  }

  /** Like `union`, for large sets; can be interrupted. */
  *unionSteps(other: FieldSet): Steps<FieldSet> {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    const [large, small] = other.nodes.size > MANY_NODES + this.nodes.size ? [other, this] : [this, other];
    return yield* large.#replaceNodesSteps(small.nodes, function* (mine, theirs): Steps<FieldSetNode | undefined> {
      if (mine?.children === undefined || theirs.children === undefined) return uniteNodes(mine, theirs);
      const children = yield* mine.children.unionSteps(theirs.children);
      return makeNode(mine.member || theirs.member, children, mine);
    });
  }

  intersection(other: FieldSet): FieldSet {
    if (other === this || this.isEmpty) return this;
    if (other.isEmpty) return other;
    const [small, large] = this.nodes.size <= other.nodes.size ? [this, other] : [other, this];
    const nodes = new Map<PathElement, FieldSetNode>();
    for (const [element, a] of small.nodes) {
      const b = large.nodes.get(element);
      if (b === undefined) continue;
      const children =
        a.children !== undefined && b.children !== undefined ? a.children.intersection(b.children) : undefined;
      const node = makeNode(a.member && b.member, children);
      if (node !== undefined) nodes.set(element, node);
    }
    return fromNodes(nodes);
  }

  /**
   * Returns the paths of this set that are not in the other. Only equal paths are removed: a parent in the other set does not remove children here.
   */
  difference(other: FieldSet): FieldSet {
    if (other === this) return FieldSet.EMPTY;
    return this.#subtract(other, (mine, theirs) => {
      const children =
        mine.children !== undefined && theirs.children !== undefined
          ? mine.children.difference(theirs.children)
          : mine.children;
      return makeNode(mine.member && !theirs.member, children, mine);
    });
  }

  /** Like `difference`, for large sets; can be interrupted. */
  *differenceSteps(other: FieldSet): Steps<FieldSet> {
    if (other === this) return FieldSet.EMPTY;
    if (this.isEmpty || other.isEmpty) return this;
    const isSmall = this.nodes.size <= other.nodes.size;
    return yield* this.#replaceNodesSteps(
      (isSmall ? this : other).nodes,
      function* (
        mine: FieldSetNode | undefined,
        walked: FieldSetNode,
        element: PathElement,
      ): Steps<FieldSetNode | undefined> {
        const theirs = isSmall ? other.nodes.get(element) : walked;
        if (mine === undefined || theirs === undefined) return mine;
        const isBoth = mine.children !== undefined && theirs.children !== undefined;
        const children = isBoth ? yield* mine.children.differenceSteps(theirs.children) : mine.children;
        return makeNode(mine.member && !theirs.member, children, mine);
      },
    );
  }

  /** Like `difference`, but a path in the other set also removes everything below it. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#subtract(other, (mine, theirs) => {
      if (theirs.member) return undefined;
      const children =
        mine.children !== undefined && theirs.children !== undefined
          ? mine.children.recursiveDifference(theirs.children)
          : mine.children;
      return makeNode(mine.member, children, mine);
    });
  }

  /** Returns the members that have no members below them. */
  leaves(): FieldSet {
    return this.#replaceNodes(this.nodes.keys(), (_element, mine) => {
      if (mine?.children === undefined) return mine;
      return makeNode(false, mine.children.leaves(), mine);
    });
  }

  isSubsetOf(other: FieldSet): boolean {
    if (other === this) return true;
    if (this.nodes.size > other.nodes.size) return false;
    for (const [element, mine] of this.nodes) {
      const theirs = other.nodes.get(element);
      if (theirs === mine) continue;
      if (theirs === undefined || (mine.member && !theirs.member)) return false;
      if (mine.children !== undefined && !mine.children.isSubsetOf(theirs.children ?? FieldSet.EMPTY)) return false;
    }
    return true;
  }

  equals(other: FieldSet): boolean {
    if (other === this) return true;
    if (other.nodes.size !== this.nodes.size) return false;
    for (const [element, mine] of this.nodes) {
      const theirs = other.nodes.get(element);
      if (theirs === mine) continue;
      if (theirs === undefined || theirs.member !== mine.member) return false;
      if ((theirs.children ?? FieldSet.EMPTY).equals(mine.children ?? FieldSet.EMPTY) === false) return false;
    }
    return true;
  }

  /** Iterates over all members in canonical order: the members of a level before their descendants. */
  *paths(prefix: Path = []): Generator<Path> {
    const elements = sortElements(this.nodes.keys());
    for (const element of elements) {
      if (this.nodes.get(element)?.member) yield [...prefix, element];
    }
    for (const element of elements) {
      const children = this.nodes.get(element)?.children;
      if (children !== undefined) yield* children.paths([...prefix, element]);
    }
  }

  /** Iterates over the smaller set only. `combine` replaces nodes that are in both sets. */
  #subtract(
    other: FieldSet,
    combine: (mine: FieldSetNode, theirs: FieldSetNode) => FieldSetNode | undefined,
  ): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    const small = this.nodes.size <= other.nodes.size ? this : other;
    return this.#replaceNodes(small.nodes.keys(), (element, mine) => {
      const theirs = other.nodes.get(element);
      return mine === undefined || theirs === undefined ? mine : combine(mine, theirs);
    });
  }

  /** Returns a copy with some nodes replaced or removed, or this set if none of them differs. */
  #replaceNodes(
    elements: Iterable<PathElement>,
    replace: (element: PathElement, mine: FieldSetNode | undefined) => FieldSetNode | undefined,
  ): FieldSet {
    let nodes: Map<PathElement, FieldSetNode> | undefined;
    for (const element of elements) {
      const mine = this.nodes.get(element);
      const next = replace(element, mine);
      if (next === mine) continue;
      nodes ??= new Map(this.nodes);
      if (next === undefined) nodes.delete(element);
      else nodes.set(element, next);
    }
    return nodes === undefined ? this : fromNodes(nodes);
  }

  /** Like `#replaceNodes`, of a large set for all elements of another one; can be interrupted. */
  *#replaceNodesSteps(walked: ReadonlyMap<PathElement, FieldSetNode>, replace: ReplaceSteps): Steps<FieldSet> {
    let nodes: Map<PathElement, FieldSetNode> | undefined;
    let count = 0;
    for (const [element, node] of walked) {
      if (++count % NODES_PER_STEP === 0) yield;
      const mine = this.nodes.get(element);
      const next = yield* replace(mine, node, element);
      if (next === mine) continue;
      nodes ??= yield* copyNodesSteps(this.nodes);
      if (next === undefined) nodes.delete(element);
      else nodes.set(element, next);
    }
    return nodes === undefined ? this : fromNodes(nodes);
  }
}

type ReplaceSteps = (
  mine: FieldSetNode | undefined,
  walked: FieldSetNode,
  element: PathElement,
) => Steps<FieldSetNode | undefined>;

function* copyNodesSteps(nodes: ReadonlyMap<PathElement, FieldSetNode>): Steps<Map<PathElement, FieldSetNode>> {
  const copy = new Map<PathElement, FieldSetNode>();
  for (const [element, node] of nodes) {
    if (copy.size % NODES_PER_STEP === NODES_PER_STEP - 1) yield;
    copy.set(element, node);
  }
  return copy;
}

/** Collects paths one by one. `build` transfers the content to the new set, so it may be called only once, at the end. */
export class FieldSetBuilder {
  readonly #root: DraftLevel = new Map();

  /** Inserts a path. The empty path (the object itself) has no owner and is ignored. */
  insert(path: Path): void {
    let level = this.#root;
    const last = path.length - 1;
    for (let i = 0; i <= last; i++) {
      const element = path[i] as PathElement;
      if (i < last) {
        level = levelBelow(level, element);
        continue;
      }
      const node = level.get(element);
      if (node === undefined) level.set(element, LEAF);
      else if (node instanceof DraftNode) node.member = true;
    }
  }

  /** Inserts a complete node at a path. Nothing else may be inserted at or below that path. */
  graft(path: Path, node: FieldSetNode): void {
    let level = this.#root;
    const last = path.length - 1;
    for (let i = 0; i < last; i++) level = levelBelow(level, path[i] as PathElement);
    if (last >= 0) level.set(path[last] as PathElement, node);
    else for (const [element, below] of node.children?.nodes ?? []) this.graft([element], below);
  }

  build(): FieldSet {
    return buildLevel(this.#root);
  }
}

/** A mutable node. */
class DraftNode {
  member: boolean;
  readonly below: DraftLevel = new Map();

  constructor(member: boolean) {
    this.member = member;
  }
}

type DraftLevel = Map<PathElement, DraftNode | FieldSetNode>;

function levelBelow(level: DraftLevel, element: PathElement): DraftLevel {
  const node = level.get(element);
  if (node instanceof DraftNode) return node.below;
  const draft = new DraftNode(node?.member === true);
  level.set(element, draft);
  return draft.below;
}

/** Converts draft nodes in place, because a level may contain many. */
function buildLevel(level: DraftLevel): FieldSet {
  level.forEach((node, element) => {
    if (node instanceof DraftNode) level.set(element, { member: node.member, children: buildLevel(node.below) });
  });
  return fromNodes(level as Map<PathElement, FieldSetNode>);
}

export function fromNodes(nodes: ReadonlyMap<PathElement, FieldSetNode>): FieldSet {
  return nodes.size === 0 ? FieldSet.EMPTY : new FieldSet(nodes);
}

/** Creates a node with these properties. Returns `same` if it already has them, and undefined if the node would be empty. */
export function makeNode(
  member: boolean,
  children: FieldSet | undefined,
  same?: FieldSetNode,
): FieldSetNode | undefined {
  const below = children?.isEmpty ? undefined : children;
  if (same !== undefined && same.member === member && same.children === below) return same;
  if (below === undefined) return member ? LEAF : undefined;
  return { member, children: below };
}

function uniteNodes(a: FieldSetNode | undefined, b: FieldSetNode): FieldSetNode {
  if (a === undefined || a === b) return b;
  const children =
    a.children === undefined ? b.children : b.children === undefined ? a.children : a.children.union(b.children);
  const member = a.member || b.member;
  return makeNode(member, children, a) ?? b;
}
