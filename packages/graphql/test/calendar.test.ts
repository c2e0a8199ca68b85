// Dates and times of generated scalars: exactly the days of the calendar are accepted.

import t from 'tap'
import { DateScalar, DateTimeScalar } from '../src/schema/scalars.ts'

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** Whether the calendar has a day, by another way than that of the scalars: the day before it, plus one. */
function exists(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

const accepts = (work: () => unknown): boolean => {
  try {
    work()
    return true
  } catch {
    return false
  }
}

t.test('every day of common years and leap years, and no other', async t => {
  const wrong: string[] = []
  let days = 0
  for (const year of [1900, 2000, 2023, 2024])
    for (let month = 0; month <= 13; month++)
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${twoDigits(month)}-${twoDigits(day)}`
        const isDay = exists(year, month, day)
        if (isDay) days++
        const time = `${text}T23:59:59.999Z`
        for (const [scalar, value] of [
          [DateScalar, text],
          [DateTimeScalar, time],
        ] as const) {
          if (accepts(() => scalar.serialize(value)) !== isDay) wrong.push(`${scalar.name} ${value}`)
          else if (isDay && scalar.serialize(value) !== value) wrong.push(`${value} is changed`)
        }
      }
  t.strictSame(wrong, [])
  t.equal(days, 365 + 366 + 365 + 366)
})

t.test('times of the day, and nothing around a date', async t => {
  for (const wrong of ['25:00:00.000Z', '12:60:00.000Z', '12:00:60.000Z'])
    t.throws(() => DateTimeScalar.serialize(`2024-01-31T${wrong}`), wrong)
  for (const wrong of ['2024-01-31x', 'x2024-01-31', '2024-01-31\n', '02024-01-31']) {
    t.throws(() => DateScalar.serialize(wrong), JSON.stringify(wrong))
    t.throws(() => DateTimeScalar.serialize(`${wrong}T12:00:00.000Z`), JSON.stringify(wrong))
  }
})
