/** Decides how many random cases a test of a property tries. */

/** The share of all cases: PLINTH_CASES_SHARE, which .ci/run sets to a half. A fifth finds most faults in seconds. */
const share = Number(process.env.PLINTH_CASES_SHARE ?? 0.2)

/** Returns how many cases to try of `all`; PLINTH_CASES replaces the result. */
export function casesOf(all: number): number {
  return Number(process.env.PLINTH_CASES ?? Math.ceil(all * share))
}
