// TODO: elsewhere
