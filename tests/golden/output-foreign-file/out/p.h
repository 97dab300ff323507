int mine;
