// What messages cite of a request: at most 200 characters, in time that grows with the length of the message.

import { cutMessage } from '@plinth/server/transport'
import t from 'tap'

t.test('a quotation without an end is cut like one with an end', async t => {
  for (const quote of ['\\" ', '\\"', 'a ', '\\\\ ', '\\']) {
    const text = quote.repeat(50_000)
    for (const end of ['"', '', '\\'])
      t.ok(cutMessage(`found String "${text}${end}`).length <= 220, JSON.stringify([quote, end]))
  }
  const message = `Invalid value "${'x y'.repeat(100)}" for "b"`
  t.equal(cutMessage(message), `Invalid value "${'x y'.repeat(100).slice(0, 200)}…" for "b"`)
})
