// Writes the answer of an operation from the outcomes of its roots, without execution: at once if it is short, else entry by
// entry, so that other requests have their turn and the bytes are counted. It knows no request.

import type { Row } from '@plinth/kernel'
import { nextSlice, type Share } from '@plinth/server/transport'
import { type OwnTexts, withOwnTexts } from '../answer/own-texts.ts'
import { entryWriters, withWritten, writeRoot } from '../answer/root-writer.ts'
import type { WriteRow } from '../answer/row-writer.ts'
import { LongText, writePart, writeShort } from '../answer/text-bound.ts'
import { answerLimits, TooLong } from '../answer/too-long.ts'
import type { OperationSelection, RootSelection } from '../operation/selection.ts'
import type { Run } from './run.ts'

/** Milliseconds of a slice of writing. */
const slice = 5

/** The input from which an answer is written. */
interface Written {
  readonly selection: OperationSelection
  /** The roots have run, and `run.hasRows`. */
  readonly run: Run
  /** The texts of own fields; null if there are none. */
  readonly own: readonly string[] | null
  /** Counts the bytes of a long answer; null if nobody does. */
  readonly share: Share | null
}

/**
 * Writes an answer. Throws NeedsExecution if a value is an error, TooLong, and UnavailableError if the server has no room for
 * the answer.
 */
export function writeAnswer(answer: Written): string | Promise<string> {
  const { selection, run, own } = answer
  try {
    return writeShort(() => withOwnTexts(textsOf(own), () => writeRoots(selection, run)))
  } catch (error) {
    if (error instanceof LongText) return writeInSlices(answer)
    throw error
  }
}

function textsOf(own: Written['own']): OwnTexts | null {
  return own === null ? null : { texts: own, written: 0 }
}

function writeRoots({ roots }: OperationSelection, run: Run): string {
  let text = ''
  for (const root of roots) {
    if (root.kind === 'own') throw new Error(`The field "${root.key}" is resolved by code`)
    const value = root.kind === 'typename' ? root.text : writeOutcome(root, run)
    text += (text === '' ? '' : ',') + root.label + value
  }
  return `{"data":{${text}}}`
}

function writeOutcome(root: RootSelection, run: Run): string {
  const { rows, page, change } = run.resultOf(root)
  return writeRoot(root.output, rows, page, change)
}

/** Writes the entries first, then what is around them. */
async function writeInSlices({ selection, run, own, share }: Written): Promise<string> {
  const ownTexts = textsOf(own)
  const written = new Map<WriteRow, WriteRow>()
  let length = 0
  let ends = performance.now() + slice
  for (const root of selection.generated) {
    const { rows } = run.resultOf(root)
    if (rows === null) continue
    for (const write of entryWriters(root.output, rows)) {
      const texts = new Map<Row, string>()
      written.set(write, row => texts.get(row)!)
      for (const row of rows.rows) {
        const text = writePart(share, () => withOwnTexts(ownTexts, () => write(row, rows)))
        texts.set(row, text)
        length += text.length
        if (length > answerLimits.maxBytes) throw new TooLong(length)
        if (share?.isFull === true) await share.room('answers', 0)
        if (performance.now() < ends) continue
        await nextSlice()
        ends = performance.now() + slice
      }
    }
  }
  // This text contains the texts that were counted already.
  return withWritten(written, () => writePart(null, () => writeRoots(selection, run)))
}
