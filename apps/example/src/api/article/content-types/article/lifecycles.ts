// Sets an article's reading time whenever its body is written, by REST or in code.

/** The members of a lifecycle event that are used here. */
interface WriteEvent {
  params: { data: Record<string, unknown> }
}

/** Words per minute: a low estimate. */
const pace = 200

export default {
  beforeCreate(event: WriteEvent): void {
    setReadingMinutes(event.params.data)
  },
  beforeUpdate(event: WriteEvent): void {
    setReadingMinutes(event.params.data)
  },
}

function setReadingMinutes(data: Record<string, unknown>): void {
  // An update without a body does not change the reading time.
  if (typeof data.body !== 'string') return
  const words = data.body.split(/\s+/).filter(word => /\w/.test(word)).length
  data.readingMinutes = Math.max(1, Math.ceil(words / pace))
}
