// Spans of time in settings: `30d` and `12 hours`. It knows no setting.

const seconds: Readonly<Record<string, number>> = {
  ms: 0.001,
  millisecond: 0.001,
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hr: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
  w: 604_800,
  week: 604_800,
  y: 31_557_600,
  yr: 31_557_600,
  year: 31_557_600,
}

/** The seconds of a span; null if its unit is not known. */
export function secondsOf(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]+)\s*$/.exec(text)
  if (match === null) return null
  const unit = match[2]!.toLowerCase()
  const factor = seconds[unit] ?? (unit.length > 2 ? seconds[unit.replace(/s$/, '')] : undefined)
  return factor === undefined ? null : Number(match[1]) * factor
}

/** The units that a message names. */
export const units = 'ms, s, m, h, d, w, y'
