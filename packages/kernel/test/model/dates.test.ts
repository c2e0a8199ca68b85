// Which values are dates, times and datetimes, and the text of a datetime.

import t from 'tap'
import { isoText } from '../../src/model/dates.ts'
import { parseDate, parseDatetime, parseTime } from '../../src/model/values.ts'

t.test('dates and times are parsed', async t => {
  const day = Date.UTC(2024, 1, 29)
  const taken: readonly (readonly [sent: unknown, ms: number])[] = [
    ['2024-02-29', day],
    ['2024-02', Date.UTC(2024, 1)],
    ['2024-02-29T01', day + 3_600_000],
    ['2024-02-29T01:02', day + 3_720_000],
    ['2024-02-29 01:02:03', day + 3_723_000],
    ['2024-02-29T01:02:03.5Z', day + 3_723_500],
    ['2024-02-29T01:02:03,123456', day + 3_723_123],
    ['2024-02-29T01:02:03+0100', day + 123_000],
    ['2024-02-29T00:00:00-05:30', day + 19_800_000],
    ['2024-02-29t01:02:03z', day + 3_723_000],
    [String(day), day],
    [day, day],
    [new Date(day), day],
    [-1, -1],
    ['-86400000', -86_400_000],
  ]
  for (const [sent, ms] of taken) t.equal(parseDatetime(sent), ms, String(sent))
  for (const sent of [
    '',
    'x',
    '2024',
    '12',
    '2024-13-01',
    '2023-02-29',
    '2024-01-01T25:00',
    9e15,
    Number.NaN,
    null,
    {},
    true,
  ])
    t.throws(
      () => parseDatetime(sent),
      { message: 'Invalid format, expected a timestamp or an ISO date' },
      String(sent),
    )
  t.equal(parseDate('2024-02-29T23:59:59-05:00'), '2024-02-29')
  for (const sent of ['2024-2-9', '29.02.2024', 5, null, '2024-02-29x'])
    t.throws(() => parseDate(sent), { message: /^Invalid format/ })
  t.equal(parseTime('23:59:59.9'), '23:59:59.900')
  for (const sent of [5, null, new Date(0)])
    t.throws(() => parseTime(sent), { message: /^Expected a string, got an? / })
  const wrong: number[] = []
  for (let ms = -3e12; ms < 9e12; ms += 123_456_789_01) if (isoText(ms) !== new Date(ms).toISOString()) wrong.push(ms)
  t.same(wrong, [])
  for (const ms of [-1, 0, 1, 253402300800000]) t.equal(isoText(ms), new Date(ms).toISOString())
})
