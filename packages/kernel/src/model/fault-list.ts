// Collects all faults of one file, so that they are reported together and corrected before one restart.

import { InvalidSchemaError } from '../errors.ts'

/** Records a fault of one option of an attribute. */
export type Fail = (option: string, fault: string) => void

/** The faults of one file. */
export class FaultList {
  readonly #file: string
  readonly #faults: { readonly path: string; readonly fault: string }[] = []

  constructor(file: string) {
    this.#file = file
  }

  add(path: string, fault: string): void {
    this.#faults.push({ path, fault })
  }

  /** Throws InvalidSchemaError if there are any faults. */
  throw(): void {
    const [first, ...others] = this.#faults
    if (first === undefined) return
    if (others.length === 0) throw new InvalidSchemaError(this.#file, first.path, first.fault)
    const lines = this.#faults.map(({ path, fault }) => (path === '' ? fault : `${path}: ${fault}`))
    throw new InvalidSchemaError(this.#file, '', `\n  - ${lines.join('\n  - ')}`)
  }
}
