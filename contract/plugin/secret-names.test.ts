/** Logs leave out what the fixture plugin marks as secret. */

import { redactLine } from '@plinth/kernel'
import t from 'tap'
import { start } from './stories.ts'

t.test('values of names that a plugin marks', async t => {
  await start(t)
  const line = JSON.stringify({ msg: 'seen', headers: { 'x-patience': '17', 'x-patient': '18' } })
  t.same(JSON.parse(redactLine(line)), { msg: 'seen', headers: { 'x-patience': '[redacted]', 'x-patient': '18' } })
})
