/** The pictures of the provision state machine. */
export const files = (load) => {
  const { statesPage, statesSvg } = load('@lib/domain/states/drawing');
  return { 'docs/states.md': statesPage(), 'docs/states.svg': statesSvg() };
};
