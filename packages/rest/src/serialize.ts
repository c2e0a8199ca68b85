// Writes rows as JSON text in v4's format (B-3). Each plan has one writer, composed once from closures, so writing a
// row builds no object and looks up no name.

import {
  type AnswerBranch,
  type AnswerLimits,
  type AnswerNode,
  type BranchRows,
  type Member,
  type NodeRows,
  type Row,
  sizeOf,
  tooManyBytes,
  tooManyEntries,
} from '@plinth/kernel'
import type { Share } from '@plinth/server/transport'
import { type LongText, maxShortEntries, TextBuffer, TooLong } from './text-buffer.ts'
import { TimeSlice } from './time-slice.ts'

/** Writes the members of one row without the braces: `"title":"x","author":{…}`. */
type WriteMembers = (row: Row, of: NodeRows, buffer: TextBuffer) => string

const writers = new WeakMap<AnswerNode, WriteMembers>()

/** The writer of a node, which is composed once. */
function membersOf(node: AnswerNode): WriteMembers {
  const cached = writers.get(node)
  if (cached !== undefined) return cached
  const writer = composeMembers(node)
  writers.set(node, writer)
  return writer
}

function composeMembers(node: AnswerNode): WriteMembers {
  const { attributes } = node.plan
  const keys = attributes.map((attribute, i) => `${i === 0 ? '' : ','}${JSON.stringify(attribute.name)}:`)
  const codecs = node.codecs.map(codec => codec.json as (raw: unknown) => string)
  const branches = node.branches.map(composeBranch)
  const names = node.branches.map(
    ({ plan }, i) => `${i === 0 && keys.length === 0 ? '' : ','}${JSON.stringify(plan.key)}:`,
  )
  return (row, of, buffer) => {
    const written = buffer.texts?.get(of)?.get(row[0])
    if (written !== undefined) return written
    buffer.count()
    let text = ''
    for (let i = 0; i < keys.length; i++) {
      const raw = row[i + 1]
      text += keys[i]! + (raw === null || raw === undefined ? 'null' : codecs[i]!(raw))
    }
    for (let i = 0; i < branches.length; i++) text += names[i]! + branches[i]!(row[0], of.branches[i]!, buffer)
    return text
  }
}

type WriteBranch = (id: unknown, rows: BranchRows, buffer: TextBuffer) => string

function composeBranch(compiled: AnswerBranch): WriteBranch {
  switch (compiled.kind) {
    case 'empty': {
      // An empty list of media is null in v4; an empty list of other relations is [] (B-3.26, suite zones-write).
      const isList = compiled.plan.attribute.many && compiled.plan.attribute.type !== 'media'
      const text = isList ? '{"data":[]}' : '{"data":null}'
      return () => text
    }
    case 'count':
      return (id, rows) =>
        `{"data":{"attributes":{"count":${(rows as BranchRows & { kind: 'count' }).groups.get(id) ?? 0}}}}`
    case 'relation': {
      const { many, relation } = compiled.plan.attribute
      // v4 answers null for a morphMany without rows (B-3.33).
      const none = many && relation !== 'morphMany' ? '{"data":[]}' : '{"data":null}'
      return composeRows(compiled.child, many, writeEntry, text => `{"data":${text}}`, none)
    }
    case 'component': {
      const { many } = compiled.plan.attribute
      return composeRows(compiled.child, many, writeComponent, text => text, many ? '[]' : 'null')
    }
    case 'zone':
      return (id, rows, buffer) => {
        const members = (rows as BranchRows & { kind: 'members' }).groups.get(id) ?? []
        return writeItems(members, member => writeZoneMember(member, buffer), buffer)
      }
    case 'morph': {
      const { many } = compiled.plan.attribute
      return (id, rows, buffer) => {
        const members = (rows as BranchRows & { kind: 'members' }).groups.get(id) ?? []
        // Polymorphic targets are not wrapped (B-3.31, B-3.32).
        if (many) return writeItems(members, member => writeMorphMember(member, buffer), buffer)
        return members.length === 0 ? 'null' : writeComponent(members[0]!.row, members[0]!.of, buffer)
      }
    }
  }
}

function composeRows(
  child: AnswerNode,
  many: boolean,
  write: (row: Row, of: NodeRows, buffer: TextBuffer, members: WriteMembers) => string,
  wrap: (text: string) => string,
  none: string,
): WriteBranch {
  const members = membersOf(child)
  return (id, rows, buffer) => {
    const { groups, child: of } = rows as BranchRows & { kind: 'rows' }
    const group = groups.get(id)
    if (group === undefined) return none
    if (!many) return wrap(write(group[0]!, of, buffer, members))
    return wrap(writeItems(group, row => write(row, of, buffer, members), buffer))
  }
}

/** Writes a list; when its text becomes long, it is moved to a chunk. */
function writeItems<T>(items: readonly T[], write: (item: T) => string, buffer: TextBuffer): string {
  if (items.length === 0) return '[]'
  let text = ''
  for (let i = 0; i < items.length; i++) {
    text += (i === 0 ? '[' : ',') + write(items[i]!)
    if (text.length > buffer.longest) text = buffer.cut(text)
  }
  return `${text}]`
}

function writeEntry(row: Row, of: NodeRows, buffer: TextBuffer, members: WriteMembers): string {
  return `{"id":${row[0] as number},"attributes":{${members(row, of, buffer)}}}`
}

function writeComponent(
  row: Row,
  of: NodeRows,
  buffer: TextBuffer,
  members: WriteMembers = membersOf(of.node),
): string {
  const text = members(row, of, buffer)
  return text === '' ? `{"id":${row[0] as number}}` : `{"id":${row[0] as number},${text}}`
}

function writeZoneMember({ row, of }: Member, buffer: TextBuffer): string {
  const text = membersOf(of.node)(row, of, buffer)
  const head = `{"id":${row[0] as number},"__component":${JSON.stringify(of.node.plan.type.uid)}`
  return text === '' ? `${head}}` : `${head},${text}}`
}

function writeMorphMember({ row, of }: Member, buffer: TextBuffer): string {
  const text = membersOf(of.node)(row, of, buffer)
  const head = `{"__type":${JSON.stringify(of.node.plan.type.uid)},"id":${row[0] as number}`
  return text === '' ? `${head}}` : `${head},${text}}`
}

/**
 * The end of an entry: its own `meta`, which is a constant if no entry of the list has a value in it. Without members it is
 * written only if entries have it always.
 */
function metaTail(of: NodeRows, isAlways: boolean): (id: unknown) => string {
  if (!isAlways && of.node.meta.length === 0) return () => '}'
  const write = (id: unknown) => `,"meta":{${metaText(id, of)}}}`
  if (of.meta.some(list => list.size > 0)) return write
  const empty = write(null)
  return () => empty
}

/** The members of an entry's own `meta`. */
export function metaText(id: unknown, of: NodeRows): string {
  const { meta } = of.node
  let text = ''
  for (let i = 0; i < meta.length; i++) {
    const { name, json } = meta[i]!
    text += `${i === 0 ? '' : ','}${JSON.stringify(name)}:${json(of.meta[i]?.get(id) ?? [])}`
  }
  return text
}

/** Writes the `data` of an answer. */
type WriteData = (rows: NodeRows, buffer: TextBuffer) => string

/** Writes the `data` of lists and of single entries. */
export interface DataWriters {
  readonly list: WriteData
  /** `null` if there is no entry. */
  readonly one: WriteData
}

/** The writers of answers. A top-level entry has its own `meta` (service.md 2.3): always, or if it has members. */
export function dataWriters(isMetaAlways: boolean): DataWriters {
  const entryWriter = (rows: NodeRows, buffer: TextBuffer) => {
    const members = membersOf(rows.node)
    const tail = metaTail(rows, isMetaAlways)
    return (row: Row) => `{"id":${row[0] as number},"attributes":{${members(row, rows, buffer)}}${tail(row[0])}`
  }
  return {
    list: (rows, buffer) => writeItems(rows.rows, entryWriter(rows, buffer), buffer),
    one: (rows, buffer) => (rows.rows.length === 0 ? 'null' : entryWriter(rows, buffer)(rows.rows[0]!)),
  }
}

/** The data of an answer. */
export type Written = string | LongText

/** This many rows may be many more entries, so the entries are counted before writing begins. */
const manyRows = 500

/** The number of rows of a node and of all its branches. */
function rowsOf({ rows, branches }: NodeRows): number {
  let sum = rows.length
  for (const branch of branches) for (const child of childrenOf(branch)) sum += rowsOf(child)
  return sum
}

/** The buffer of answers that are written without pauses. */
const short = new TextBuffer({ maxEntries: 0, maxBytes: 0 }, false)

/**
 * The data of an answer, written without pauses if it is short, else in time slices. `share` counts the bytes of a long
 * one as it is written; null if nobody does. Throws ValidationError if it exceeds the limits, and UnavailableError if the
 * server has no room for it.
 */
export function writeData(
  write: WriteData,
  rows: NodeRows,
  limits: AnswerLimits,
  share: Share | null,
): Written | Promise<Written> {
  const long = { limits, share }
  if (rowsOf(rows) > manyRows && sizeOf(rows).entries > maxShortEntries) return writeInSlices(write, rows, long)
  short.restart(limits)
  try {
    return short.finish(write(rows, short))
  } catch (error) {
    if (error instanceof TooLong) return writeInSlices(write, rows, long)
    throw error
  }
}

interface Long {
  readonly limits: AnswerLimits
  readonly share: Share | null
}

async function writeInSlices(write: WriteData, rows: NodeRows, { limits, share }: Long): Promise<Written> {
  const { entries, bytes } = sizeOf(rows)
  if (entries > limits.maxEntries) throw tooManyEntries(entries, limits)
  // The estimate ignores escapes and numbers, so it refuses only what is far beyond the limit.
  if (bytes > 2 * limits.maxBytes) throw tooManyBytes(bytes, limits)
  const buffer = new TextBuffer(limits, true, share)
  await writeRows(rows, buffer, new TimeSlice())
  return buffer.finish(write(rows, buffer))
}

/** Writes each row once, rows of branches first, so that no single step takes long. */
async function writeRows(of: NodeRows, buffer: TextBuffer, slice: TimeSlice): Promise<void> {
  const texts = new Map<unknown, string>()
  for (const rows of of.branches) for (const child of childrenOf(rows)) await writeRows(child, buffer, slice)
  const members = membersOf(of.node)
  for (const row of of.rows) {
    if (texts.has(row[0])) continue
    const text = members(row, of, buffer)
    texts.set(row[0], text)
    buffer.hold(text.length)
    if (buffer.isFull) await buffer.room()
    if (slice.isOver) await slice.next()
  }
  buffer.texts!.set(of, texts)
}

function childrenOf(rows: BranchRows): Iterable<NodeRows> {
  if (rows.kind === 'rows') return [rows.child]
  if (rows.kind !== 'members') return []
  const children = new Set<NodeRows>()
  for (const members of rows.groups.values()) for (const { of } of members) children.add(of)
  return children
}
