// Which plugins run. Take one out and the server still starts; its attributes, parameters and routes are gone.

export default {
  rest: true,
  'draft-publish': true,
}
