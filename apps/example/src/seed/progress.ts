// Shows the progress of a long job: a bar that is redrawn on a terminal, and a few plain lines elsewhere.

const width = 30

/** The part of the stream that a progress display needs. */
export interface Screen {
  isTTY?: boolean
  write(text: string): unknown
}

/** Counts the steps of one job. */
export interface Progress {
  /** Counts one step. The label names the current work. */
  step(label: string): void
  end(): void
}

/** A display for `total` steps. */
export function createProgress(total: number, screen: Screen): Progress {
  return screen.isTTY === true ? createBar(total, screen) : createLines(total, screen)
}

function createBar(total: number, screen: Screen): Progress {
  let done = 0
  let drawn = ''
  return {
    step(label) {
      done++
      const filled = Math.floor((done / total) * width)
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${Math.floor((done / total) * 100)} % ${label}`
      if (bar === drawn) return
      drawn = bar
      screen.write(`\r\u001b[K${bar}`)
    },
    end: () => screen.write('\r\u001b[K'),
  }
}

function createLines(total: number, screen: Screen): Progress {
  let done = 0
  let quarter = 0
  return {
    step() {
      done++
      if (Math.floor((done / total) * 4) === quarter) return
      quarter = Math.floor((done / total) * 4)
      screen.write(`  ${done} of ${total} entries written\n`)
    },
    end: () => {},
  }
}
